import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// Entry to a hub, from OPEN to a place in a room (docs/hub.md, Entry): which rooms it serves, who may try how often, and who
/// proved to be whom. Knows nothing of sockets: it answers, and the `HubServer` does.
///
/// Of a connection: `accept` when it comes, `answer` to its OPEN, `prove` of its ENTER, `refusal` of what that wants, `enter` when it takes
/// a place, and `leave` when it is over, whatever came of it.
struct Admission {
  /// The only one so far.
  private static let version = ClientHandshake.version

  /// Answer to the first frame.
  enum Opening {
    case challenge(HubHandshake)
    case refuse(HubRefusal, retry: Nanoseconds?, RefusalCause)
    /// Does not speak this protocol: gets no answer.
    case notOurs
  }

  /// Request in a frame after CHALLENGE.
  enum Claim {
    /// A frame of a later version of the protocol, to be skipped.
    case unknown
    case refuse(HubRefusal, RefusalCause)
    /// Somebody proved who it is; whether it may be in the room is another question.
    case proved(HubEntry)
  }

  private let identity: SigningKey
  /// A set's word that this hub is one of its, as clients are shown it; nil: there is none.
  private var certificate: HubCertificate?
  /// nil: any.
  private var served: Set<[UInt8]>?
  private var retired: [[UInt8]: Set<ParticipantID>] = [:]
  private var gate: EntryGate
  private var opening: RoomOpening
  private var opened = OpenedRooms()
  /// The hub is about to end: nobody enters any more.
  private var isShut = false

  init(identity: SigningKey, certificate: HubCertificate?, opening: RoomOpening, limits: HubLimits, now: HostTime) {
    self.identity = identity
    self.certificate = certificate
    self.opening = opening
    gate = EntryGate(limits: limits, now: now)
  }

  /// Hash of the hub's key, 16 bytes.
  var hubID: [UInt8] { identity.publicKey.hashedID }
  /// Id by which invites may name this hub, 16 bytes: its set's, if it has a certificate, else its own.
  var invitedID: [UInt8] { certificate?.set ?? hubID }
  /// Connections that have entered, and that have not; entries since the start.
  var counts: (entered: Int, unentered: Int, entries: UInt64) { (gate.entered, gate.unentered, gate.entries) }
  /// True when no address is remembered.
  var isForgetful: Bool { gate.count == 0 }

  // MARK: Rooms

  mutating func serve(only topic: [UInt8]) { served = [topic] }

  mutating func serve(also topic: [UInt8]) { served?.insert(topic) }

  mutating func retire(_ topic: [UInt8], members: Set<ParticipantID>) { retired[topic] = members }

  mutating func stopServing(_ topic: [UInt8]) {
    served?.remove(topic)
    retired[topic] = nil
  }

  /// Whether who comes from there has to show a pass, if nobody is in the room. Who only looks or listens opens nothing.
  func needsPass(_ entry: HubEntry, from reach: AddressReach) -> Bool {
    guard case .neighbours = opening else { return false }
    return !entry.peekOnly && entry.role != .listener && reach == .anywhere
  }

  /// Answer to one who proved who it is; nil: it may be in the room. `isOpen`: somebody is in it, at any hub. `elsewhere`: rooms that each
  /// group of a serial has open at other hubs.
  mutating func refusal(
    of entry: HubEntry, from reach: AddressReach, isOpen: Bool, elsewhere: (_ serial: UInt64) -> [UInt64: Int]
  ) -> HubRefusal? {
    if isShut { return .full }
    guard served?.contains(entry.topic) ?? true else { return .auth }
    if isOpen { return nil }
    guard retired[entry.topic]?.contains(entry.participant) ?? true else { return .auth }
    guard needsPass(entry, from: reach), case .neighbours(let passes) = opening else { return nil }
    // A pass is of the id that its invite pins.
    let holder = passes.holder(of: entry.pass, hub: hubID) ?? certificate.flatMap { passes.holder(of: entry.pass, hub: $0.set) }
    guard let (group, groups) = holder else { return .auth }
    return opened.open(entry.topic, by: group, limit: groups, elsewhere: elsewhere(group.serial)) ? nil : .full
  }

  /// A room may have been opened, or be over; what the group that opened it with its pass has open here; nil: it was opened without one.
  mutating func follow(_ topic: [UInt8], isOpen: Bool) -> (group: PassGroup, rooms: Int)? {
    guard let group = opened.group(of: topic) else { return nil }
    if !isOpen { opened.close(topic) }
    return (group, opened.count(of: group))
  }

  /// Nobody enters from now on.
  mutating func shut() { isShut = true }

  /// Others may open rooms from now on, within other limits, and clients are shown this certificate; what is open stays counted.
  mutating func set(_ new: RoomOpening, certificate: HubCertificate?, limits: HubLimits) {
    opening = new
    self.certificate = certificate
    gate.setLimits(limits)
  }

  // MARK: The way in

  /// A connection came; false: it has no place among those that have not entered.
  mutating func accept(_ address: AddressKey, now: HostTime) -> Bool { gate.accept(address, now: now) }

  /// A connection that has not entered is of another address than it seemed; false: that has no place for it, and nothing changed.
  mutating func move(from old: AddressKey, to new: AddressKey, now: HostTime) -> Bool {
    guard old != new else { return true }
    guard gate.accept(new, now: now) else { return false }
    gate.leave(old, .unentered, now: now)
    return true
  }

  /// `mayListen`: there is something to listen to here, so that this may be one who does.
  mutating func answer(
    _ frame: RawFrame, from address: AddressKey, clock: ClockID, mayListen: Bool, now: HostTime, random: (Int) -> [UInt8]
  ) -> Opening {
    guard frame.type == HubFrame.FrameType.open.rawValue, let open = try? OpenFrame(body: frame.body) else {
      return .notOurs
    }
    guard (open.lowestVersion...open.highestVersion).contains(Self.version) else {
      return .refuse(.version, retry: nil, .version)
    }
    // Before any key is made: the next hub is what it should turn to.
    if isShut { return .refuse(.full, retry: HubDrain.retry, .draining) }
    switch gate.attempt(address, mayListen: mayListen, now: now) {
    case .full: return .refuse(.full, retry: nil, .full)
    case .tooOften(let retry): return .refuse(.full, retry: retry, .entryRate)
    case nil: break
    }
    guard let handshake = try? HubHandshake(
      answering: frame.body, hub: identity, clock: clock, asksForPass: opening.asksForPass, certificate: certificate, random: random)
    else {
      return .refuse(.auth, retry: nil, .notAdmitted)
    }
    return .challenge(handshake)
  }

  /// `count`: how many frames came before entry, this one included.
  func prove(_ frame: RawFrame, count: Int, answering handshake: HubHandshake) -> Claim {
    if frame.type < 128, HubFrame.FrameType(rawValue: frame.type) == nil, count < HubLimits.unenteredFrames {
      return .unknown
    }
    guard frame.type == HubFrame.FrameType.enter.rawValue,
      let entry = try? handshake.admit(handshake.read(enter: frame.body))
    else { return .refuse(.auth, .notAdmitted) }
    return isShut ? .refuse(.full, .draining) : .proved(entry)
  }

  /// Counts a connection among the entered ones; nil: it is. `mayListen`: as its OPEN was judged.
  mutating func enter(_ address: AddressKey, as role: EntryRole, mayListen: Bool, now: HostTime) -> EntryGate.Refusal? {
    if role == .listener { return gate.listen(address, now: now) }
    if mayListen, let refusal = gate.charge(address, now: now) { return refusal }
    return gate.enter(address, now: now) ? nil : .full
  }

  /// A connection is over.
  mutating func leave(_ address: AddressKey, _ place: EntryGate.Place, now: HostTime) { gate.leave(address, place, now: now) }

  /// Forgets addresses that nothing is known about.
  mutating func sweep(now: HostTime) { gate.sweep(now: now) }
}
