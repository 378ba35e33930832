import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// The attachments of a session between the pure `Attachments`, the files and the registers.
///
/// What is here and where, which own offers wait for their hash, and what the host knows of what is offered. Loop thread only.
final class SessionAttachments {
  enum Output {
    case transmit(AttachmentSaying, to: ParticipantID)
    case offer(AttachmentSlot, AttachmentValue)
    case takeBack(AttachmentSlot, offered: GroupTime)
    case tell(AttachmentNews)
    /// A call that was taken cannot be done.
    case refuse(Operation, CoordinationStatus, String)
    case log(LogLevel, String)
  }

  private struct Own {
    var value: AttachmentValue
    /// Calls that are not answered yet.
    var requests: [UInt64]
    /// The group knows of it, or did.
    var isWritten: Bool
  }

  /// Files that are remembered, offered or not.
  private static let files = 256
  /// Own offers whose bytes are being looked at.
  private static let hashing = 16

  private let this = WeakReference<SessionAttachments>()
  private let local: ParticipantID
  private let environment: any Environment
  /// Takes what comes of files, in a turn of its own.
  private let emit: ([Output]) -> Void
  private var attachments = Attachments()
  private var shelf = AttachmentShelf()
  private var seenRevision: UInt64 = 0
  /// What is written goes to the group.
  private var isMember = false
  private var held: [AttachmentID: HeldAttachment] = [:]
  private var own: [AttachmentSlot: Own] = [:]
  /// Where loads go, by their numbers.
  private var parts: [UInt64: AttachmentPart] = [:]
  /// Contents that are here and that somebody offers with another length: they are given to nobody as that.
  private var contested: Set<AttachmentID> = []
  private var pendingHashes = 0
  private var isOver = false

  init(local: ParticipantID, environment: any Environment, emit: @escaping ([Output]) -> Void) {
    self.local = local
    self.environment = environment
    self.emit = emit
    this.point(to: self)
  }

  deinit { this.cut() }

  /// What counts, in its order.
  var listed: [ListedAttachment] { shelf.offers.map { ListedAttachment(offer: $0, isHeld: isHeld($0.value)) } }

  /// Those of one that is here in memory; nil: it is not, or in a file.
  func bytes(of id: AttachmentID) -> [UInt8]? { if case .bytes(let bytes) = held[id] { bytes } else { nil } }

  private func isHeld(_ value: AttachmentValue) -> Bool { held[value.id]?.size == value.size }

  /// Nothing is loaded here, and nobody is given anything.
  var isIdle: Bool { attachments.isIdle }

  func nextWake(now: HostTime) -> HostTime? { attachments.nextWake(now: now) }

  // MARK: The own host

  /// Looks at the bytes, and offers them if there is room.
  func publish(_ source: AttachmentSource, name: String, type: String, request: UInt64) -> [Output] {
    guard pendingHashes < Self.hashing else {
      return [.tell(refusal(name, type, request, .busy, "\(Self.hashing) others are being looked at"))]
    }
    pendingHashes += 1
    performElsewhere(in: environment, { AttachmentFile.hash(source) }) { [this] result in
      this.object?.hashed(result, name: name, type: type, request: request)
    }
    return []
  }

  private func hashed(
    _ result: Result<AttachmentFile.Hashed, AttachmentFile.Unusable>, name: String, type: String, request: UInt64
  ) {
    guard !isOver else { return }
    pendingHashes -= 1
    emit(offer(result, name: name, type: type, request: request))
  }

  private func offer(
    _ result: Result<AttachmentFile.Hashed, AttachmentFile.Unusable>, name: String, type: String, request: UInt64
  ) -> [Output] {
    let hashed: AttachmentFile.Hashed
    switch result {
    case .success(let one): hashed = one
    case .failure(let why):
      return [.tell(refusal(name, type, request, Self.reason(why), Self.sentence(why)))]
    }
    let value = AttachmentValue(id: hashed.id, name: name, type: type, size: hashed.size)
    if let present = shelf.offer(of: value.id) {
      guard present.value.size == value.size else { return [.tell(refusal(name, type, request, .forged, Self.lie(present)))] }
      // Others have that already: here it is, too.
      hold(value, hashed.held)
      return [.tell(news(.added, present, request: request))]
    }
    if let slot = own.keys.first(where: { own[$0]?.value.id == value.id }) {
      own[slot]?.requests.append(request)
      return []
    }
    // What was written and not seen yet counts.
    guard let slot = shelf.freeSlot(of: local, besides: Set(own.keys)) else {
      return [.tell(refusal(name, type, request, .full, "this participant offers \(WireLimits.attachmentsPerAuthor) already"))]
    }
    guard shelf.offers.count < WireLimits.attachments else {
      return [.tell(refusal(name, type, request, .full, Self.groupIsFull))]
    }
    hold(value, hashed.held)
    own[slot] = Own(value: value, requests: [request], isWritten: isMember)
    // Else it is offered once this participant is one.
    return isMember ? [.offer(slot, value)] : []
  }

  /// Only one of two lengths can have that hash.
  private static func lie(_ offer: AttachmentOffer) -> String {
    "participant \(offer.slot.author) offers the same content as of \(offer.value.size) bytes, which is not so"
  }

  private static let isGone = "it is not offered any more"
  private static let groupIsFull = "the group has \(WireLimits.attachments) already"

  private func hold(_ value: AttachmentValue, _ bytes: HeldAttachment) {
    held[value.id] = bytes
    attachments.hold(value.id, size: value.size)
  }

  func load(_ id: AttachmentID, to path: String, now: HostTime) throws(Attachments.Refusal) -> [Output] {
    guard let offer = shelf.offer(of: id) else { return [.refuse(.loadAttachment, .notFound, Self.isGone)] }
    let number = try attachments.load(offer, now: now)
    parts[number] = AttachmentPart(of: id, size: offer.value.size, at: path)
    return []
  }

  func cancel(_ id: AttachmentID) -> [Output] { outputs(attachments.cancel(id)) }

  /// Every place that it is offered in, this participant's or, if it may command, others', too.
  func remove(_ id: AttachmentID, mayCommand: Bool) -> [Output] {
    let offers = shelf.offers(of: id)
    let mine = offers.filter { mayCommand || $0.slot.author == local }
    if offers.isEmpty { return [.refuse(.removeAttachment, .notFound, Self.isGone)] }
    if mine.isEmpty { return [.refuse(.removeAttachment, .denied, "only its author, and who may command, can take an attachment back")] }
    return mine.map { .takeBack($0.slot, offered: $0.time) }
  }

  // MARK: The session

  func entered(now: HostTime) { attachments.entered(now: now) }

  /// What is offered now.
  func follow(isMember isNow: Bool, revision: UInt64, offered: () -> AttachmentShelf) -> [Output] {
    let becomesMember = isNow && !isMember
    isMember = isNow
    guard isMember, becomesMember || seenRevision != revision else { return [] }
    seenRevision = revision
    let before = shelf
    shelf = offered()
    var outputs = reviewOwn()
    let (old, new) = (Set(before.offers.map { $0.value.id }), Set(shelf.offers.map { $0.value.id }))
    for offer in before.offers where !new.contains(offer.value.id) { outputs.append(.tell(news(.removed, offer))) }
    for offer in shelf.offers where !old.contains(offer.value.id) {
      outputs += claimRequests(of: offer.value.id).map { .tell(news(.added, offer, request: $0)) }
    }
    outputs += self.outputs(attachments.offersChanged(shelf))
    return outputs + reviewHeld()
  }

  /// Files stay where they are: what is offered again is here again. Bytes are forgotten.
  private func reviewHeld() -> [Output] {
    var outputs: [Output] = []
    for (id, bytes) in held {
      if let offer = shelf.offer(of: id) {
        if isHeld(offer.value) {
          contested.remove(id)
          attachments.hold(id, size: bytes.size)
        } else {
          // Who loads it as that would find that it does not match, and take this participant for the liar.
          attachments.letGo(id)
          if contested.insert(id).inserted {
            let message = "\"\(offer.value.name)\" is not given to the others any more: \(Self.lie(offer))"
            outputs.append(.tell(news(.lost, offer, reason: .forged, participant: offer.slot.author, message: message)))
          }
        }
      } else if case .bytes = bytes, !own.values.contains(where: { $0.value.id == id }) {
        held[id] = nil
      } else if held.count > Self.files {
        held[id] = nil
      }
    }
    contested.formIntersection(held.keys)
    return outputs
  }

  /// Own calls that offered it, whoever's offer counts; 0: there are none.
  private func claimRequests(of id: AttachmentID) -> [UInt64] {
    let slots = own.keys.filter { own[$0]?.value.id == id }
    let requests = slots.flatMap { own[$0]?.requests ?? [] }.sorted()
    for slot in slots { own[slot]?.requests = [] }
    return requests.isEmpty ? [0] : requests
  }

  /// An own offer may have been taken back, lost with the registers of another time, or be one too many.
  private func reviewOwn() -> [Output] {
    var outputs: [Output] = []
    for (slot, one) in own.sorted(by: { $0.key < $1.key }) {
      if let offer = shelf.offer(in: slot) {
        guard shelf.offer(of: one.value.id) == nil else { continue }
        own[slot] = nil
        outputs.append(.takeBack(slot, offered: offer.time))
        outputs += one.requests.map { .tell(refusal(one.value.name, one.value.type, $0, .full, Self.groupIsFull)) }
      } else if one.isWritten, shelf.cleared.contains(slot) {
        own[slot] = nil
        outputs += one.requests.map { .tell(refusal(one.value.name, one.value.type, $0, .removed, "it was taken back at once")) }
      } else {
        own[slot]?.isWritten = true
        outputs.append(.offer(slot, one.value))
      }
    }
    return outputs
  }

  func settle(_ around: Attachments.Surroundings, now: HostTime) -> [Output] { outputs(attachments.settle(around, now: now)) }

  func receive(_ saying: AttachmentSaying, from sender: ParticipantID, now: HostTime) -> [Output] {
    outputs(attachments.receive(saying, from: sender, now: now))
  }

  /// The session is over: what was on its way is left for a later one.
  func close() -> [Output] {
    let outputs = outputs(attachments.close())
    isOver = true
    held = [:]
    return outputs
  }

  // MARK: Files

  private func outputs(_ effects: [Attachments.Effect]) -> [Output] { effects.flatMap(output) }

  private func output(_ effect: Attachments.Effect) -> [Output] {
    switch effect {
    case .send(let saying, let id): return [.transmit(saying, to: id)]
    case .read(let id, let offset, let length, let asker): read(id, offset: offset, length: length, for: asker)
    case .open(let load): open(load)
    case .write(let load, let offset, let bytes):
      perform(load) { $0.write(bytes, at: offset) } done: { owner, outcome, _ in
        owner.attachments.wrote(load, bytes.count, outcome)
      }
    case .restart(let load): perform(load) { $0.restart() } done: { $0.attachments.restarted(load, $1, now: $2) }
    case .copy(let id, let load): copy(id, load)
    case .check(let load): check(load)
    case .discard(let load):
      if let part = parts.removeValue(forKey: load) { environment.perform({ part.discard() }) {} }
    case .keep(let load):
      if let part = parts.removeValue(forKey: load) { environment.perform({ part.keep() }) {} }
    case .progress(let offer, let bytes): return [.tell(news(.progress, offer, transferred: bytes))]
    case .loaded(let offer, let load):
      parts[load] = nil
      return [.tell(news(.loaded, offer, transferred: offer.value.size))]
    case .failed(let offer, let failure):
      return [.tell(news(.failed, offer, reason: Self.reason(failure), message: Self.sentence(failure)))]
    case .forged(let offer, let givers):
      let who = givers.map { $0.description }.joined(separator: ", ")
      let what = givers.isEmpty ? "the bytes that an earlier load left, or those that came to them," : "the bytes that came of \(who)"
      let line = "attachment \(offer.value.id): \(what) are not it; they are thrown away"
      let one = givers.count == 1 ? givers[0] : ParticipantID.none
      return [.log(.warning, line), .tell(news(.forged, offer, reason: .forged, participant: one, message: line))]
    }
    return []
  }

  private func perform(
    _ load: UInt64, _ work: @escaping @Sendable (AttachmentPart) -> Attachments.Outcome,
    done: @escaping (SessionAttachments, Attachments.Outcome, HostTime) -> [Attachments.Effect]
  ) {
    guard let part = parts[load] else { return }
    performElsewhere(in: environment, { work(part) }) { [this] outcome in
      guard let owner = this.object, !owner.isOver else { return }
      owner.emit(owner.outputs(done(owner, outcome, owner.environment.now)))
    }
  }

  private func open(_ load: UInt64) {
    guard let part = parts[load] else { return }
    performElsewhere(in: environment, { part.open() }) { [this] outcome, present in
      guard let owner = this.object, !owner.isOver else { return }
      owner.emit(owner.outputs(owner.attachments.opened(load, outcome, present: present, now: owner.environment.now)))
    }
  }

  private func read(_ id: AttachmentID, offset: UInt64, length: Int, for asker: ParticipantID) {
    let bytes = held[id]
    performElsewhere(in: environment, { bytes.flatMap { AttachmentFile.read($0, offset: offset, length: length) } }) { [this] bytes in
      this.object?.hasRead(bytes, of: id, offset: offset, for: asker)
    }
  }

  private func hasRead(_ bytes: [UInt8]?, of id: AttachmentID, offset: UInt64, for asker: ParticipantID) {
    guard !isOver else { return }
    var outputs = outputs(attachments.read(bytes, of: id, offset: offset, for: asker, now: environment.now))
    if bytes == nil, held.removeValue(forKey: id) != nil, let offer = shelf.offer(of: id) {
      let message = "the file of \"\(offer.value.name)\" has changed or is gone; the others are not given it any more"
      outputs.append(.tell(news(.lost, offer, reason: .file, message: message)))
    }
    emit(outputs)
  }

  private func copy(_ id: AttachmentID, _ load: UInt64) {
    let source = held[id]
    perform(load) { part in source.map { part.copy($0) } ?? .unusable(.source) } done: { owner, outcome, _ in
      owner.attachments.copied(load, outcome)
    }
  }

  private func check(_ load: UInt64) {
    guard let part = parts[load], let offer = attachments.offer(of: load) else { return }
    let id = offer.value.id
    performElsewhere(in: environment, { part.check() }) { [this] outcome, bytes in
      this.object?.hasChecked(load, of: id, outcome, bytes)
    }
  }

  private func hasChecked(_ load: UInt64, of id: AttachmentID, _ outcome: Attachments.Outcome, _ bytes: HeldAttachment?) {
    guard !isOver else { return }
    if let bytes { held[id] = bytes }
    emit(outputs(attachments.checked(load, outcome)))
  }

  // MARK: Words

  private func news(
    _ change: AttachmentNews.Change, _ offer: AttachmentOffer, request: UInt64 = 0, transferred: UInt64 = 0,
    reason: AttachmentNews.Reason = .none, participant: ParticipantID = .none, message: String = ""
  ) -> AttachmentNews {
    AttachmentNews(
      change: change, offer: offer, isHeld: isHeld(offer.value), request: request, transferred: transferred,
      reason: reason, participant: participant, message: message)
  }

  /// An own offer that comes to nothing.
  private func refusal(
    _ name: String, _ type: String, _ request: UInt64, _ reason: AttachmentNews.Reason, _ why: String
  ) -> AttachmentNews {
    return AttachmentNews(
      change: .failed,
      offer: AttachmentOffer(
        slot: AttachmentSlot(author: .none, number: 0),
        value: AttachmentValue(id: .none, name: name, type: type, size: 0), time: 0),
      request: request, reason: reason, message: "\"\(name)\" is not offered: \(why)")
  }

  private static func reason(_ why: AttachmentFile.Unusable) -> AttachmentNews.Reason { if case .tooBig = why { .tooBig } else { .file } }

  private static func sentence(_ why: AttachmentFile.Unusable) -> String {
    switch why {
    case .tooBig: "it has more than \(WireLimits.attachmentSize) bytes"
    case .changed: "it changed while it was read"
    case .noFile: "it is no file"
    case .disk(let error): error.message
    }
  }

  private static func reason(_ failure: Attachments.Failure) -> AttachmentNews.Reason {
    switch failure {
    case .notFound: .notFound
    case .forged: .forged
    case .cancelled: .cancelled
    case .removed: .removed
    case .file: .file
    case .exists: .exists
    case .unusable(let flaw): flaw == .busy ? .busy : .file
    }
  }

  private static func sentence(_ failure: Attachments.Failure) -> String {
    switch failure {
    case .notFound: "nobody who is there gave it within \(Attachments.patience / .seconds(1)) s"
    case .forged: "the bytes that came were not it, and nobody else has it"
    case .cancelled: "loading was ended"
    case .removed: "it was taken back"
    case .file(let code): "the file could not be written: \(DiskError(code: code).message)"
    case .exists: "a file of that name is there already"
    case .unusable(let flaw): sentence(flaw)
    }
  }

  private static func sentence(_ flaw: Attachments.Flaw) -> String {
    switch flaw {
    case .link: "its .part is a symbolic link, which is not followed"
    case .noFile: "its .part is no file"
    case .foreign: "its .part belongs to another user"
    case .shared: "its .part can be written by other users"
    case .named: "its .part has another name, too"
    case .tooLong: "its .part has more bytes than the attachment"
    case .busy: "another load is writing its .part"
    case .replaced: "its .part was removed or replaced while it came"
    case .source: "what is here of it has changed or is gone"
    }
  }
}
