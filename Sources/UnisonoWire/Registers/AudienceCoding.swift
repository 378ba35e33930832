import UnisonoBase
import UnisonoReplica

/// Register 19; no items: there is no audience any more.
enum AudienceCoding {
  static func write(_ value: AudienceValue?, to writer: inout ItemWriter) {
    guard let value else { return }
    writer.item(1, value.secret)
    writer.item(2, value.topic)
    for hub in value.hubs { HubAddressCoding.write(hub, tag: 3, to: &writer) }
    if let former = value.former { writer.item(4, former) }
    if value.terms.share != 0 { writer.integer(5, value.terms.share) }
    if value.terms.wait != AudienceTerms.waits.upperBound { writer.integer(6, value.terms.wait) }
    for reaction in value.terms.reactions { writer.text(7, reaction) }
  }

  static func read(_ reader: ByteReader) throws(WireError) -> AudienceValue? {
    var secret: [UInt8]?
    var topic: [UInt8]?
    var hubs: [HubAddress] = []
    var former: [UInt8]?
    var terms = AudienceTerms()
    var items = Items(reader, lists: [3, 7])
    while let item = try items.next() {
      switch item.tag {
      case 1: secret = try item.bytes(exactly: 32)
      case 2: topic = try item.bytes(exactly: 32)
      case 3:
        guard hubs.count < WireLimits.hubAddresses else { throw .count }
        hubs.append(try HubAddressCoding.read(item))
      case 4: former = try item.bytes(exactly: 32)
      case 5: terms.share = try share(item)
      case 6:
        terms.wait = try item.integer()
        guard AudienceTerms.waits.contains(terms.wait) else { throw .range }
      case 7: terms.reactions.append(try reaction(item, after: terms.reactions))
      default: try item.unknown()
      }
    }
    guard (secret == nil) == (topic == nil), (secret == nil) == hubs.isEmpty, topic != nil || former == nil && terms == AudienceTerms()
    else { throw .truncated }
    guard let secret, let topic else { return nil }
    return AudienceValue(secret: secret, topic: topic, hubs: hubs, former: former, terms: terms)
  }

  static func share(_ item: Item) throws(WireError) -> UInt8 {
    let share: UInt8 = try item.integer()
    guard AudienceTerms.shares.contains(share) else { throw .range }
    return share
  }

  static func reaction(_ item: Item, after others: [String]) throws(WireError) -> String {
    guard others.count < AudienceTerms.reactionsMost else { throw .count }
    let reaction = try item.text(1, upTo: WireLimits.reaction)
    guard !others.contains(where: { Array($0.utf8) == Array(reaction.utf8) }) else { throw .order }
    return reaction
  }
}
