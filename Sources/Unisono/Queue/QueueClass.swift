import UnisonoBase

/// Class of an event in the event queue: how it is kept while it is not read.
enum QueueClass: Equatable {
  /// The newest of its source and type counts; an older unread one goes.
  case state
  /// Never dropped one by one; goes with its item.
  case command(item: ItemID)
  /// Dropped when the queue is full, counted as a message.
  case message
  /// Dropped when too many lie there, counted with the others.
  case other
  /// Always kept: bounded elsewhere.
  case kept
}
