import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// A participant's attachments: the pure part of it, files in memory, and what came of it at its host.
///
/// Of what a shell does it has what the registers ask for (wire 8.16): an own offer that is not there any more is made again.
struct AttachmentHost {
  private struct Own {
    var value: AttachmentValue
    /// The group knows of it, or did.
    var isWritten: Bool
  }

  /// How a load ended: all bytes, or why not.
  enum End: Equatable {
    case loaded([UInt8])
    case failed(Attachments.Failure)
  }

  var attachments = Attachments()
  /// Contents that are here.
  var contents: [AttachmentID: [UInt8]] = [:]
  /// Files on their way here.
  var parts: [UInt64: [UInt8]] = [:]
  /// Those of loads that were given up, for the next load of the same.
  var leftovers: [AttachmentID: [UInt8]] = [:]
  /// Loads that were begun, and how they ended.
  var loads: [(number: UInt64, id: AttachmentID, end: End?)] = []
  var refusedLoads = 0
  var forgeries: [[ParticipantID]] = []
  /// It gives other bytes than it has.
  var lies = false
  /// What a file's work takes, ns.
  var disk: Nanoseconds = .milliseconds(1)
  private(set) var shelf = AttachmentShelf()
  private var own: [AttachmentSlot: Own] = [:]
  private var seen: (isMember: Bool, revision: UInt64) = (false, 0)

  /// What is to be written; nil: it is offered already.
  mutating func offer(_ bytes: [UInt8], of value: AttachmentValue, by id: ParticipantID) -> AttachmentSlot? {
    contents[value.id] = bytes
    attachments.hold(value.id, size: value.size)
    guard shelf.offer(of: value.id) == nil, !own.values.contains(where: { $0.value.id == value.id }),
      let slot = shelf.freeSlot(of: id, besides: Set(own.keys))
    else { return nil }
    own[slot] = Own(value: value, isWritten: seen.isMember)
    return seen.isMember ? slot : nil
  }

  /// What is offered now. Returns what is to be written, and what comes of it for loads.
  mutating func follow(
    _ coordination: borrowing Coordination
  ) -> (written: [CoordinationEvent], effects: [Attachments.Effect]) {
    let now = (isMember: coordination.isMember, revision: coordination.attachmentRevision)
    guard now.isMember, now != seen else {
      seen.isMember = now.isMember
      return ([], [])
    }
    seen = now
    shelf = coordination.attachments
    let written = reviewOwn()
    let effects = attachments.offersChanged(shelf)
    for (id, _) in contents { if let offer = shelf.offer(of: id) { attachments.hold(id, size: offer.value.size) } }
    return (written, effects)
  }

  /// It gives others a content, and nothing else for it.
  func gives(_ id: AttachmentID) -> Bool { !lies && attachments.held.contains(id) }

  private mutating func reviewOwn() -> [CoordinationEvent] {
    var written: [CoordinationEvent] = []
    for (slot, one) in own.sorted(by: { $0.key < $1.key }) {
      if let offer = shelf.offer(in: slot) {
        guard shelf.offer(of: one.value.id) == nil else { continue }
        own[slot] = nil
        written.append(.takeBackAttachment(slot, offered: offer.time))
      } else if one.isWritten, shelf.cleared.contains(slot) {
        own[slot] = nil
      } else {
        own[slot]?.isWritten = true
        written.append(.offerAttachment(slot, one.value))
      }
    }
    return written
  }
}

/// Something that a person did to a place of attachments.
struct PlaceAct {
  enum Deed: Equatable {
    case offered(AttachmentID)
    /// What was seen there, which was offered at that time; what has been offered there since, unseen, stays.
    case tookBack(GroupTime)
  }

  var slot: AttachmentSlot
  var deed: Deed
  var by: ParticipantID
}

/// Contents that people hand around: of a number, the same for all, and made once.
enum AttachmentContent {
  /// Nothing, one byte, whole pieces, and some more.
  private static let sizes = [0, 1, 32_768, 70_000, 200_000, 65_536, 5_000, 98_305]
  private static let all = sizes.indices.map(make)

  static var count: Int { sizes.count }

  static func bytes(_ number: Int) -> [UInt8] { all[number].bytes }

  static func value(_ number: Int) -> AttachmentValue { all[number].value }

  static func id(of bytes: [UInt8]) -> AttachmentID { AttachmentID(Digest.hash(bytes)) ?? .none }

  private static func make(_ number: Int) -> (bytes: [UInt8], value: AttachmentValue) {
    var generator = Xoshiro256(seed: UInt64(number))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sizes[number] + 8)
    while bytes.count < sizes[number] { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
    bytes.removeLast(bytes.count - sizes[number])
    return (bytes, AttachmentValue(id: id(of: bytes), name: "\(number).vtt", type: "text/vtt", size: UInt64(bytes.count)))
  }
}
