import UnisonoBase
import UnisonoCoordination

/// One simulated participant at one of its coordinators: its machine, its coordination and its player.
final class Participant {
  let name: String
  let id: ParticipantID
  let machine: Machine
  /// nil: the session's first one.
  let coordinator: CoordinatorName?
  /// Of the ids of its host's commands: no two coordinators of a process share one.
  let firstCommand: UInt64
  /// Of a named coordinator: true time at which it was opened.
  let openedAt: Nanoseconds
  /// Of a named coordinator: it was not closed.
  var isOpen = true
  /// Of a named coordinator: its process has told the others that it has one. One that stands still does so when it goes on.
  var isListed = false
  /// Of a named coordinator as it was before it was opened, or when it was closed.
  private var stored: Coordination
  var player: Player
  /// The library's own player drives a renderer here; nil: `player` stands for a host that follows the commands itself.
  var layer: PlayerLayer?
  /// Came since its last loop turn.
  var inbox: [Arrival] = []
  /// From the arrival of something to the turn that reads it; more may come together, ns.
  var turnDelay: Nanoseconds = 0
  /// True time until which its machine has more to do than it can, and from news to the turn that reads it meanwhile, ns.
  var busy = (until: Nanoseconds(0), turnEvery: Nanoseconds(0))
  var isTurnScheduled = false
  /// True time of the wake-up that is scheduled; it comes a little later.
  var wakesAt: Nanoseconds?
  /// How late its timers fire; with numbers of its own, so that nothing else of a seed depends on how many there are.
  var lateness: Xoshiro256
  /// From being let in by the hub to the first estimate of its clock, ns; nil: two round trips.
  var synchronisesAfter: Nanoseconds?
  /// How often its player says where it is while it plays, ns; nil: only when its motion changes.
  var reportsEvery: Nanoseconds?
  var history = History()
  /// What it wanted of the playlist.
  var edits: [Dated<PlaylistEdit>] = []
  var suspensions: UInt64 = 0
  /// Ranges of its copies that are not the group's, as its host gave them.
  var interstitials: [ItemID: [InterstitialRange]] = [:]
  /// It measures its hub's clock as the library does, instead of being given a model with a constant error.
  var measuresClock = false
  /// What a hub that lies about its clock tells it beyond the truth.
  var hubLie = HubLie()
  /// How far its belief about each hub's clock is off, ns, beyond the first hub.
  var hubErrors: [Nanoseconds] = []
  /// Whoever it ever saw in a room and did not see leave: a room with fewer is worth leaving for a larger one.
  var known: Set<ParticipantID> = []
  var looksForLargerRooms = false
  /// Its own cells that were seen on their way, so that each is noted once.
  var written: Set<CellName> = []
  /// Commands' cells that others told it of, whoever gave them.
  var heard: Set<CellName> = []
  /// Of these, what it was told while it had not come together with others again: it counts for nothing where they are gone before that.
  var heardApart: Set<CellName> = []
  /// When it was last told anything by another, by its name, whom it had met long before: true time at which that was sent.
  var lastTold: [String: Nanoseconds] = [:]
  /// When each who ever told it anything at this coordinator did so first, true time.
  var met: [ParticipantID: Nanoseconds] = [:]
  /// What it believed of group time at the instant from which its player is where it was last told, or chose, to be, or when it
  /// came to know group time after that; nil: it did not.
  var believed: ClockModel?
  /// When it read its person's requests, with what it then believed group time to be.
  var requests: [Dated<GroupTime>] = []
  /// Of those at a named coordinator the ones that were read while the session was apart from others.
  var requestsApart: Set<Nanoseconds> = []
  /// Its policy levels reach nobody.
  var hidesPolicies = false
  /// True time until which nothing of these comes to it, though they are in the same room: its hub lies.
  var hidden: [ParticipantID: Nanoseconds] = [:]
  /// Turns at the same instant, to notice one that wakes itself for ever.
  var turnsAtInstant = (time: Nanoseconds(-1), count: 0)
  /// Who is there, as it has read it.
  var sight = RoomSight()
  var lane = SideLane()
  /// nil: nobody writes anything here.
  var chat: ChatHost?
  /// nil: nobody sends messages to a place of an item here.
  var cues: CueHost?
  /// nil: nobody hands files around here.
  var files: AttachmentHost?
  /// How many turns its coordination had.
  var turns = 0

  init(
    name: String, id: ParticipantID, machine: Machine, coordinator: CoordinatorName? = nil, firstCommand: UInt64 = 1,
    openedAt: Nanoseconds = 0, player: Player, lateness: Xoshiro256
  ) {
    self.name = name
    self.id = id
    self.machine = machine
    self.coordinator = coordinator
    self.firstCommand = firstCommand
    self.openedAt = openedAt
    self.player = player
    self.lateness = lateness
    stored = Coordination(machine.configuration)
  }

  // MARK: Its machine's

  var clock: LocalClock {
    _read { yield machine.clock }
    _modify { yield &machine.clock }
  }
  var link: Link {
    _read { yield machine.link }
    _modify { yield &machine.link }
  }
  /// It was started, or opened, and has not ended.
  var isRunning: Bool {
    get { machine.isRunning && isOpen }
    set { machine.isRunning = newValue }
  }
  var stoppedUntil: Nanoseconds {
    get { machine.stoppedUntil }
    set { machine.stoppedUntil = newValue }
  }
  var asleepUntil: Nanoseconds {
    get { machine.asleepUntil }
    set { machine.asleepUntil = newValue }
  }
  var securedAt: Nanoseconds {
    get { max(machine.securedAt, openedAt) }
    set { machine.securedAt = newValue }
  }
  var losses: [Nanoseconds] {
    _read { yield machine.losses }
    _modify { yield &machine.losses }
  }
  var deniedAt: Nanoseconds? {
    get { machine.deniedAt }
    set { machine.deniedAt = newValue }
  }
  var measured: MeasuredClock? {
    _read { yield machine.measured }
    _modify { yield &machine.measured }
  }
  var lies: Bool {
    get { machine.lies }
    set { machine.lies = newValue }
  }

  // MARK: Its coordination

  /// A named coordinator's is the machine's: a copy to look at.
  var coordination: Coordination {
    _read {
      if isOpen, let coordinator, let open = machine.named.read(coordinator, { $0 }) { yield open } else { yield stored }
    }
    _modify { yield &stored }
  }

  /// A named coordinator ends: it is as it was from now on.
  func close() {
    stored = coordination
    isOpen = false
  }

  /// Reads something of the coordination in place: a getter of another module would be handed a copy of the whole value.
  func read<Value>(_ what: (inout Coordination) -> Value) -> Value {
    if isOpen, let coordinator, let value = machine.named.read(coordinator, what) { return value }
    return what(&stored)
  }

  /// How far its copy of its item is ahead of the group's item time, as its host was last told, ns; 0: it is no other cut.
  var cutOffset: Nanoseconds { read { $0.ownTime(of: 0, in: $0.view.item) } }

  /// Its belief about group time.
  var groupClock: ClockModel? { read { $0.groupClock } }
}

/// Something that a participant reads in its next loop turn.
struct Arrival {
  /// Whose it is; nil: the first one's.
  var coordinator: CoordinatorName?
  var event: CoordinationEvent
}
