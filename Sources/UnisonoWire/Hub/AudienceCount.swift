import UnisonoBase

/// How it is with an audience, by its hub's word: COUNT (wire 3.14).
package struct AudienceCount: Equatable, Sendable {
  package var listeners: UInt32
  /// Envelopes of listeners that publishers were not given, since the audience was opened there; told to publishers alone.
  package var leftOut: UInt32
  /// Listeners whose players are ready, by what for; told to publishers alone. Ascending by tag, one each.
  package var ready: [Tally]
  /// Listeners who reacted lately, by how they did last. The same.
  package var reactions: [Tally]

  package init(listeners: UInt32, leftOut: UInt32 = 0, ready: [Tally] = [], reactions: [Tally] = []) {
    self.listeners = listeners
    self.leftOut = leftOut
    self.ready = ready
    self.reactions = reactions
  }

  init(_ body: [UInt8]) throws(WireError) {
    var listeners: UInt32?
    self.init(listeners: 0)
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: listeners = try item.integer()
      case 3: leftOut = try item.integer()
      case 4: ready = try Tally.read(item, upTo: Tally.most)
      case 5: reactions = try Tally.read(item, upTo: Tally.most)
      default: try item.unknown()
      }
    }
    self.listeners = try listeners.required()
  }

  func write(to writer: inout ItemWriter) {
    writer.integer(1, listeners)
    if leftOut != 0 { writer.integer(3, leftOut) }
    Tally.write(ready, tag: 4, to: &writer)
    Tally.write(reactions, tag: 5, to: &writer)
  }

  /// As it can be at most: nobody is counted who does not listen.
  package var judged: AudienceCount {
    var new = self
    for index in ready.indices { new.ready[index].count = min(ready[index].count, listeners) }
    for index in reactions.indices { new.reactions[index].count = min(reactions[index].count, listeners) }
    return new
  }

  /// With what is counted at other hubs.
  package func adding(_ other: AudienceCount) -> AudienceCount {
    AudienceCount(
      listeners: UInt32(clamping: UInt64(listeners) + UInt64(other.listeners)),
      leftOut: UInt32(clamping: UInt64(leftOut) + UInt64(other.leftOut)), ready: Tally.sum([ready, other.ready]),
      reactions: Tally.sum([reactions, other.reactions]))
  }
}
