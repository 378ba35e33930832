import UnisonoBase
import UnisonoReplica

/// An attachment that somebody offers to the group.
package struct AttachmentOffer: Equatable, Sendable {
  package var slot: AttachmentSlot
  package var value: AttachmentValue
  /// When it was offered: the order of all.
  package var time: GroupTime

  package init(slot: AttachmentSlot, value: AttachmentValue, time: GroupTime) {
    self.slot = slot
    self.value = value
    self.time = time
  }

  /// The order in which they were offered, the same for all.
  static func precedes(_ left: Self, _ right: Self) -> Bool { (left.time, left.slot) < (right.time, right.slot) }
}

/// What is offered to the group, as the registers say: derived alike by all (wire 8.16).
package struct AttachmentShelf: Equatable, Sendable {
  /// What counts, in the order in which it was offered: of one content the first offer, and of all the first 64.
  package private(set) var offers: [AttachmentOffer] = []
  /// Every place that something stands in, also what does not count.
  package private(set) var all: [AttachmentOffer] = []
  /// Places that something was taken out of.
  package private(set) var cleared: Set<AttachmentSlot> = []

  package init() {}

  package init(_ statements: some Sequence<Statement>) {
    for statement in statements {
      guard case .attachment(let slot) = statement.key, case .attachment(let value) = statement.value else { continue }
      if let value {
        all.append(AttachmentOffer(slot: slot, value: value, time: statement.time))
      } else {
        cleared.insert(slot)
      }
    }
    all.sort(by: AttachmentOffer.precedes)
    var seen: Set<AttachmentID> = []
    for offer in all where offers.count < WireLimits.attachments && seen.insert(offer.value.id).inserted { offers.append(offer) }
  }

  /// The offer of a content that counts; nil: there is none.
  package func offer(of id: AttachmentID) -> AttachmentOffer? { offers.first { $0.value.id == id } }

  /// Every offer of a content.
  package func offers(of id: AttachmentID) -> [AttachmentOffer] { all.filter { $0.value.id == id } }

  /// What stands in a place; nil: nothing.
  package func offer(in slot: AttachmentSlot) -> AttachmentOffer? { all.first { $0.slot == slot } }

  /// A place of `author`'s in which nothing stands, but for those that are `taken`; nil: there is none.
  package func freeSlot(of author: ParticipantID, besides taken: Set<AttachmentSlot> = []) -> AttachmentSlot? {
    (0..<WireLimits.attachmentsPerAuthor).lazy.map { AttachmentSlot(author: author, number: $0) }
      .first { slot in !taken.contains(slot) && !self.all.contains { $0.slot == slot } }
  }
}

/// Drops registers of attachments that count no more: asked once a turn, it looks when something of it changed.
struct AttachmentReview: Sendable {
  /// Of those who are gone so many are kept, those that were offered first.
  static let ofAbsent = 64

  private struct Sources: Equatable, Sendable {
    var attachments: UInt64
    var presence: UInt64
    var policy: PolicyID
  }

  private var seen: Sources?

  /// Registers to forget: of who was put out, removals by who may not command any more, and too many of who is gone.
  mutating func dropped(_ facts: borrowing Facts) -> [RegisterKey] {
    guard facts.registers.attachmentRevision != 0 else { return [] }
    let sources = Sources(
      attachments: facts.registers.attachmentRevision, presence: facts.presence.revision, policy: facts.policies.greatest.id)
    guard sources != seen else { return [] }
    seen = sources
    let mine = facts.registers.statements.values.filter { $0.key.isAttachment }
    var dropped: [RegisterKey] = []
    var absent: [Statement] = []
    for statement in mine {
      guard case .attachment(let slot) = statement.key else { continue }
      if facts.policies.isRemoved(slot.author) || !statement.isValid(under: facts.policies) {
        dropped.append(statement.key)
      } else if !facts.isPresent(slot.author) {
        absent.append(statement)
      }
    }
    guard absent.count > Self.ofAbsent else { return dropped }
    // What is offered before what was taken back, which need not be told to anybody who comes.
    let order = absent.sorted {
      let (left, right) = ($0.value == .attachment(nil), $1.value == .attachment(nil))
      return left == right ? Statement.precedes($0, $1) : right
    }
    return dropped + order.dropFirst(Self.ofAbsent).map { $0.key }
  }
}
