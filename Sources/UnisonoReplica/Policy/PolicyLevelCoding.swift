import UnisonoBase

/// The body of a policy level in bytes (wire 8.1).
package enum PolicyLevelCoding {
  package struct Content {
    package var author: ParticipantID
    package var basis: PolicyID
    package var time: GroupTime
    package var terms: PolicyTerms
  }

  package static func encode(author: ParticipantID, basis: PolicyID, time: GroupTime, terms: PolicyTerms) -> [UInt8] {
    var writer = ItemWriter()
    writer.identifier(1, author)
    writer.identifier(2, basis)
    writer.time(3, time)
    writer.integer(4, terms.control.rawValue)
    writer.item(5) { for owner in terms.owners { $0.identifier(owner) } }
    writer.item(6) {
      for (participant, role) in terms.roles.sorted(by: { $0.key < $1.key }) {
        $0.identifier(participant)
        $0.integer(role.rawValue)
      }
    }
    writer.identifiers(7, Array(terms.removed))
    writer.item(8, terms.topic)
    writer.item(9, terms.founding.bytes)
    if !terms.former.isEmpty { writer.item(10) { for topic in terms.former { $0.append(topic) } } }
    if terms.isClosed { writer.boolean(12, true) }
    let succession = terms.succession
    if !succession.deputies.isEmpty { writer.item(13) { for deputy in succession.deputies { $0.identifier(deputy) } } }
    if succession.rule != .nobody { writer.integer(14, succession.rule.rawValue) }
    if succession.patience != SuccessionTerms.usualPatience {
      writer.integer(15, UInt32(clamping: succession.patience / .milliseconds(1)))
    }
    return writer.bytes
  }

  package static func decode(_ body: [UInt8]) throws(WireError) -> Content {
    var author: ParticipantID?
    var basis: PolicyID?
    var time: Int64?
    var control: ControlPolicy?
    var terms = PolicyTerms(control: .everyone, owners: [])
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: author = try item.identifier()
      case 2: basis = try item.identifier()
      case 3: time = try item.time()
      case 4: control = ControlPolicy(rawValue: try item.integer())
      case 5:
        terms.owners = try item.elements(
          of: 16, upTo: PolicyTerms.ownerLimit, { (reader) throws(WireError) in try reader.identifier() },
          ascending: { _, _ in true })
      case 6:
        let roles = try item.elements(
          of: 17, upTo: PolicyTerms.roleLimit, { (reader) throws(WireError) in try role(&reader) },
          ascending: { $0.participant < $1.participant })
        terms.roles = [:]
        for entry in roles { terms.roles[entry.participant] = entry.role }
      case 7: terms.removed = Set(try item.identifiers(upTo: PolicyTerms.removedLimit))
      case 8: terms.topic = try item.bytes(exactly: 32)
      case 9: terms.founding = RecordID(bytes: try item.bytes(exactly: RecordID.length)) ?? .none
      case 10:
        terms.former = try item.elements(
          of: 32, upTo: PolicyTerms.formerLimit, { (reader) throws(WireError) in try reader.array(32) },
          ascending: { _, _ in true })
      case 12: terms.isClosed = try item.boolean()
      case 13:
        terms.succession.deputies = try item.elements(
          of: 16, upTo: SuccessionTerms.deputyLimit, { (reader) throws(WireError) in try reader.identifier() },
          ascending: { _, _ in true })
      case 14: terms.succession.rule = SuccessionTerms.Rule(rawValue: try item.integer()) ?? .nobody
      case 15: terms.succession.patience = .milliseconds(Int64(try item.integer(UInt32.self)))
      default: try item.unknown()
      }
    }
    terms.control = try control.required()
    guard terms.isWellFormed else { throw .range }
    return Content(
      author: try author.required(), basis: try basis.required(), time: try time.required(), terms: terms)
  }

  private static func role(_ reader: inout ByteReader) throws(WireError) -> (participant: ParticipantID, role: Role) {
    let participant: ParticipantID = try reader.identifier()
    guard let role = Role(rawValue: try reader.integer()) else { throw .range }
    return (participant, role)
  }
}
