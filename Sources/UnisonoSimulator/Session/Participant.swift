import UnisonoBase
import UnisonoCoordination

/// One simulated participant: its process, its clock, its link, its coordination and its player.
final class Participant {
  let name: String
  let id: ParticipantID
  var clock: LocalClock
  var coordination: Coordination
  var player: Player
  /// The library's own player drives a renderer here; nil: `player` stands for a host that follows the commands itself.
  var layer: PlayerLayer?
  var link: Link
  /// Came since its last loop turn.
  var inbox: [CoordinationEvent] = []
  /// It was started and has not ended.
  var isRunning = false
  /// True time until which its process stands still; what arrives meanwhile is read in one turn.
  var stoppedUntil: Nanoseconds = 0
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
  var measured: MeasuredClock?
  /// What a hub that lies about its clock tells it beyond the truth.
  var hubLie = HubLie()
  /// True time until which its machine sleeps: nobody can press anything.
  var asleepUntil: Nanoseconds = 0
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
  /// True time at which it read that it had the room's keys.
  var securedAt: Nanoseconds = 0
  /// When it was last told anything by another whom it had met long before: true time at which that was sent.
  var lastTold: [ParticipantID: Nanoseconds] = [:]
  /// What it believed of group time at the instant from which its player is where it was last told, or chose, to be; nil: it
  /// had no group.
  var believed: ClockModel?
  /// When it read its person's requests, with what it then believed group time to be.
  var requests: [Dated<GroupTime>] = []
  /// True times of the turns in which it read that its link is lost, or others'.
  var losses: [Nanoseconds] = []
  /// True time at which it last learned that it may not command; nil: it always might.
  var deniedAt: Nanoseconds?
  /// It lies: what must hold holds of the others.
  var lies = false
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
    name: String, id: ParticipantID, clock: LocalClock, coordination: Coordination, player: Player, link: Link,
    lateness: Xoshiro256
  ) {
    self.name = name
    self.id = id
    self.clock = clock
    self.coordination = coordination
    self.player = player
    self.link = link
    self.lateness = lateness
  }

  /// Reads something of the coordination in place: a getter of another module would be handed a copy of the whole value.
  func read<Value>(_ what: (inout Coordination) -> Value) -> Value { what(&coordination) }

  /// How far its copy of its item is ahead of the group's item time, as its host was last told, ns; 0: it is no other cut.
  var cutOffset: Nanoseconds { read { $0.ownTime(of: 0, in: $0.view.item) } }

  /// Its belief about group time.
  var groupClock: ClockModel? { read { $0.groupClock } }
}
