import UnisonoBase
import UnisonoReplica

/// Attachments on their way between members of a session: what is loaded here, and what is handed to others. Pure.
///
/// Files are somebody else's: it says what to read and write by effects, and is told what came of it. A load has a number, so that what
/// comes late of an earlier one is known as that.
package struct Attachments: Sendable {
  /// What has to be known of the session, as it is now.
  package struct Surroundings: Sendable {
    /// The others who are there, the most senior first.
    package var present: [ParticipantID]
    /// What the hub reads of this connection, bytes a second.
    package var bytesPerSecond: UInt32
    /// The link takes more.
    package var hasRoom: Bool

    package init(present: [ParticipantID], bytesPerSecond: UInt32, hasRoom: Bool) {
      self.present = present
      self.bytesPerSecond = bytesPerSecond
      self.hasRoom = hasRoom
    }
  }

  package enum Effect: Equatable, Sendable {
    case send(AttachmentSaying, to: ParticipantID)
    /// Read it, then `read` is called.
    case read(AttachmentID, offset: UInt64, length: Int, for: ParticipantID)
    /// Make the file, or find what an earlier load left of it; then `opened` is called. What is here already is copied there; then
    /// `copied` is.
    case open(load: UInt64)
    case copy(AttachmentID, load: UInt64)
    /// Then `wrote` is called.
    case write(load: UInt64, offset: UInt64, bytes: [UInt8])
    /// Throw the bytes away; then `restarted` is called.
    case restart(load: UInt64)
    /// Compare the whole with its hash, and put it in its place if it is that; then `checked` is called.
    case check(load: UInt64)
    /// Throw the file away.
    case discard(load: UInt64)
    /// Leave what came for a later load, which goes on there.
    case keep(load: UInt64)
    case progress(AttachmentOffer, bytes: UInt64)
    case loaded(AttachmentOffer, load: UInt64)
    case failed(AttachmentOffer, Failure)
    /// Bytes did not match their hash: all of them were given by these, or some were there before, of whomever; then there are none
    /// here. They are thrown away, and others are asked.
    case forged(AttachmentOffer, by: [ParticipantID])
  }

  package enum Failure: Equatable, Sendable {
    /// Nobody who is there has it.
    case notFound
    /// All who have it gave bytes that were not it.
    case forged
    case cancelled
    /// It was taken back.
    case removed
    /// The file could not be made, or written: the system's number.
    case file(code: Int32)
    case exists
    case unusable(Flaw)
  }

  /// Why a file that is there is not gone on with. It is left as it is.
  package enum Flaw: Equatable, Sendable {
    /// A symbolic link.
    case link
    /// A folder, a pipe, a device.
    case noFile
    /// Somebody else's.
    case foreign
    /// Others may write it, too.
    case shared
    /// It has other names, too.
    case named
    /// It has more bytes than the attachment.
    case tooLong
    /// Another load writes it, of this process or another one.
    case busy
    /// Its place was taken from it while it was loaded.
    case replaced
    /// What was here of the attachment, to be copied, has changed or is gone.
    case source
  }

  package enum Refusal: Error, Equatable, Sendable {
    case loading
    case tooMany
  }

  /// How a file's work ended.
  package enum Outcome: Equatable, Sendable {
    case done
    /// The bytes are others.
    case differs
    case exists
    case unusable(Flaw)
    /// With the system's number.
    case failed(code: Int32)
  }

  /// Loads at a time, and with those that wait.
  package static let loadsAtOnce = 4
  package static let loads = 64

  /// Without any byte a load is given up after this.
  package static let patience = AttachmentLoad.limit

  private var serving = AttachmentServing()
  /// In the order in which they were asked for.
  private var loads: [AttachmentLoad] = []
  private var lastNumber: UInt64 = 0

  package init() {}

  /// Contents that are here.
  package var held: Set<AttachmentID> { Set(serving.held.keys) }
  package var isIdle: Bool { loads.isEmpty && serving.isIdle }

  /// What a load is to bring; nil: it is over.
  package func offer(of load: UInt64) -> AttachmentOffer? { find(load)?.offer }

  package mutating func nextWake(now: HostTime) -> HostTime? {
    let wakes = loads.compactMap { $0.nextWake } + [serving.wake(now: now)].compactMap { $0 }
    return wakes.min()
  }

  // MARK: The own host

  /// From now on others are given it.
  package mutating func hold(_ id: AttachmentID, size: UInt64) { serving.hold(id, size: size) }

  package mutating func letGo(_ id: AttachmentID) { serving.letGo(id) }

  /// Returns the load's number.
  package mutating func load(_ offer: AttachmentOffer, now: HostTime) throws(Refusal) -> UInt64 {
    guard !loads.contains(where: { $0.id == offer.value.id }) else { throw .loading }
    guard loads.count < Self.loads else { throw .tooMany }
    lastNumber += 1
    loads.append(AttachmentLoad(number: lastNumber, offer: offer, now: now))
    return lastNumber
  }

  /// Empty: it is not being loaded.
  package mutating func cancel(_ id: AttachmentID) -> [Effect] {
    loads.first { $0.id == id }.map { end($0, .cancelled) } ?? []
  }

  /// The session is over: what came of each is left for a later one.
  package mutating func close() -> [Effect] {
    defer { loads = [] }
    return loads.flatMap { [.keep(load: $0.number), .failed($0.offer, .cancelled)] }
  }

  /// What is not offered any more is neither loaded nor handed over.
  package mutating func offersChanged(_ shelf: AttachmentShelf) -> [Effect] {
    var effects: [Effect] = []
    for load in loads where shelf.offer(of: load.id) == nil { effects += end(load, .removed) }
    for id in held where shelf.offer(of: id) == nil { serving.letGo(id) }
    return effects
  }

  private mutating func end(_ load: AttachmentLoad, _ failure: Failure) -> [Effect] {
    loads.removeAll { $0.number == load.number }
    // Where nobody gives the rest now somebody may later.
    return [failure == .notFound ? .keep(load: load.number) : .discard(load: load.number), .failed(load.offer, failure)]
  }

  // MARK: The session

  package mutating func entered(now: HostTime) { for index in loads.indices { loads[index].entered(now: now) } }

  package mutating func settle(_ around: Surroundings, now: HostTime) -> [Effect] {
    serving.setRate(around.bytesPerSecond, now: now)
    serving.forget(allBut: Set(around.present))
    var effects = beginWaiting(now: now)
    for load in loads {
      let author = load.offer.slot.author
      let candidates = around.present.filter { $0 == author } + around.present.filter { $0 != author }
      effects += step(load.number) { $0.settle(candidates, now: now) }
    }
    while around.hasRoom, let piece = serving.next(now: now) {
      effects.append(.read(piece.id, offset: piece.offset, length: piece.length, for: piece.asker))
    }
    return effects
  }

  private mutating func beginWaiting(now: HostTime) -> [Effect] {
    var effects: [Effect] = []
    var running = loads.count { $0.phase != .waiting }
    for index in loads.indices where loads[index].phase == .waiting && running < Self.loadsAtOnce {
      running += 1
      if serving.held[loads[index].id] == loads[index].size {
        loads[index].fill()
        effects.append(.copy(loads[index].id, load: loads[index].number))
      } else {
        let number = loads[index].number
        effects += loads[index].begin(now: now).map { effect($0, number) }
      }
    }
    return effects
  }

  /// Lets a load do something, and its steps be done.
  private mutating func step(_ number: UInt64, _ act: (inout AttachmentLoad) -> [AttachmentLoad.Step]) -> [Effect] {
    guard let index = loads.firstIndex(where: { $0.number == number }) else { return [] }
    let steps = act(&loads[index])
    let load = loads[index]
    if steps.contains(.giveUp) { return end(load, load.wasLiedTo ? .forged : .notFound) }
    return steps.map { effect($0, number) }
  }

  private func effect(_ step: AttachmentLoad.Step, _ number: UInt64) -> Effect {
    guard let load = loads.first(where: { $0.number == number }) else { return .discard(load: number) }
    return switch step {
    case .open: .open(load: number)
    case .fetch(let offset, let count, let source): .send(.fetch(load.id, offset: offset, count: count), to: source)
    case .write(let offset, let bytes): .write(load: number, offset: offset, bytes: bytes)
    case .restart: .restart(load: number)
    case .check: .check(load: number)
    case .progress: .progress(load.offer, bytes: load.received)
    case .giveUp: .failed(load.offer, .notFound)
    }
  }

  package mutating func receive(_ saying: AttachmentSaying, from sender: ParticipantID, now: HostTime) -> [Effect] {
    switch saying {
    case .fetch(let id, let offset, let count):
      return serving.fetch(id, offset: offset, count: count, from: sender, now: now).map { [.send($0, to: sender)] } ?? []
    case .chunk(let id, let offset, let bytes):
      guard let load = loads.first(where: { $0.id == id }) else { return [] }
      return step(load.number) { $0.receive(bytes, offset: offset, from: sender, now: now) }
    case .refusal(let id, _):
      guard let index = loads.firstIndex(where: { $0.id == id }) else { return [] }
      loads[index].refused(by: sender, now: now)
      return []
    }
  }

  // MARK: The files

  /// nil: it cannot be read any more, and is not here from now on.
  package mutating func read(_ bytes: [UInt8]?, of id: AttachmentID, offset: UInt64, for asker: ParticipantID, now: HostTime)
    -> [Effect]
  {
    serving.finishedReading()
    guard let bytes, !bytes.isEmpty else {
      serving.letGo(id)
      return [.send(.refusal(id, .notHere), to: asker)]
    }
    return [.send(.chunk(id, offset: offset, bytes: bytes), to: asker)]
  }

  /// `present`: bytes that an earlier load left.
  package mutating func opened(_ number: UInt64, _ outcome: Outcome, present: UInt64, now: HostTime) -> [Effect] {
    guard let load = find(number) else { return [] }
    guard outcome == .done else { return abandon(load, outcome) }
    return step(number) { $0.opened(present: present, now: now) }
  }

  package mutating func wrote(_ number: UInt64, _ count: Int, _ outcome: Outcome) -> [Effect] {
    guard let load = find(number) else { return [] }
    guard outcome == .done else { return abandon(load, outcome) }
    return step(number) { $0.wrote(count) }
  }

  package mutating func copied(_ number: UInt64, _ outcome: Outcome) -> [Effect] {
    guard let load = find(number) else { return [] }
    return outcome == .done ? [.check(load: number)] : abandon(load, outcome)
  }

  package mutating func restarted(_ number: UInt64, _ outcome: Outcome, now: HostTime) -> [Effect] {
    guard let load = find(number) else { return [] }
    guard outcome == .done else { return abandon(load, outcome) }
    return step(number) { load in
      load.restarted(now: now)
      return []
    }
  }

  package mutating func checked(_ number: UInt64, _ outcome: Outcome) -> [Effect] {
    guard let load = find(number) else { return [] }
    switch outcome {
    case .done:
      loads.removeAll { $0.number == number }
      serving.hold(load.id, size: load.size)
      return [.loaded(load.offer, load: number)]
    case .exists, .unusable, .failed: return abandon(load, outcome)
    case .differs:
      // A copy of what is here, or nothing at all: nobody gave it.
      if load.givers.isEmpty, !load.isResumed { return end(load, .forged) }
      var givers: Set<ParticipantID> = []
      let steps = step(number) { load in
        let doubt = load.doubt()
        givers = doubt.givers
        return doubt.steps
      }
      return [.forged(load.offer, by: givers.sorted())] + steps
    }
  }

  private func find(_ number: UInt64) -> AttachmentLoad? { loads.first { $0.number == number } }

  private mutating func abandon(_ load: AttachmentLoad, _ outcome: Outcome) -> [Effect] {
    switch outcome {
    case .exists, .done, .differs: end(load, .exists)
    case .unusable(let flaw): end(load, .unusable(flaw))
    case .failed(let code): end(load, .file(code: code))
    }
  }
}
