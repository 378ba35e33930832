import UnisonoBase

/// Something a participant said in writing, and what was on then. Signed by its author, kept, and told to those who come later.
package struct ChatEntry: Equatable, Sendable {
  /// Author and its own number: what names an entry.
  package struct ID: Hashable, Comparable, Sendable {
    package var author: ParticipantID
    /// Ascending from 1.
    package var number: UInt64

    package init(author: ParticipantID, number: UInt64) {
      self.author = author
      self.number = number
    }

    package static func < (left: Self, right: Self) -> Bool { (left.author, left.number) < (right.author, right.number) }
  }

  package var id: ID
  /// When it was said.
  package var time: GroupTime
  package var text: String
  /// Name that the author went by.
  package var name: String
  /// What was on; nil: nothing.
  package var item: ItemID?
  /// Where that was; nil: not known.
  package var itemTime: ItemTime?
  /// As its author signed it; empty: it has not been signed yet.
  package var signed = SignedStatement(body: [], signature: [])

  package init(id: ID, time: GroupTime, text: String, name: String = "", item: ItemID? = nil, itemTime: ItemTime? = nil) {
    self.id = id
    self.time = time
    self.text = text
    self.name = name
    self.item = item
    self.itemTime = itemTime
  }

  /// The order of a conversation, the same for all.
  package static func precedes(_ left: Self, _ right: Self) -> Bool { (left.time, left.id) < (right.time, right.id) }
}

/// Name of an entry of the chat, and which one it is where its author made two of that name.
package struct ChatName: Hashable, Sendable {
  package var id: ChatEntry.ID
  /// The first bytes of the body's hash, as a number.
  package var hash: UInt64

  package init(id: ChatEntry.ID, hash: UInt64) {
    self.id = id
    self.hash = hash
  }
}

/// What members say to each other of the chat.
package enum ChatSaying: Equatable, Sendable {
  /// The sender says it now.
  case entry(ChatEntry)
  case reaction(Reaction)
  /// Digest of what the sender has.
  case digest([UInt8])
  /// Asks for all but these.
  case want([ChatName])
  case history([ChatEntry])
}

/// An emoji or a word to what is on just now. Not kept.
package struct Reaction: Equatable, Sendable {
  package var text: String
  /// What was on; nil: nothing.
  package var item: ItemID?
  /// Where that was; nil: not known.
  package var itemTime: ItemTime?

  package init(_ text: String, item: ItemID? = nil, itemTime: ItemTime? = nil) {
    self.text = text
    self.item = item
    self.itemTime = itemTime
  }
}
