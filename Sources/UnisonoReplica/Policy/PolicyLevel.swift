import UnisonoBase

/// One owner's signed word about the whole policy, on top of what more senior owners said (wire 8.1).
///
/// Kept and relayed as the bytes that came; whoever checks signatures has done so before it gets here.
package struct PolicyLevel: Hashable, Sendable {
  package let author: ParticipantID
  /// Id of the stack that it stands on.
  package let basis: PolicyID
  /// Group time of its making, ns.
  package let time: GroupTime
  package let terms: PolicyTerms
  /// What its author signed.
  package let body: [UInt8]
  package let signature: [UInt8]
  /// Body and signature as items: what travels, and what ids of policies are made of.
  package let bytes: [UInt8]
  /// Of `bytes`; ends the order of equal stamps.
  package let hash: [UInt8]

  /// Reads one. Throws what is wrong with it; its place in a stack is for the stack to judge.
  package init(reading bytes: [UInt8], hash: ([UInt8]) -> [UInt8]) throws(WireError) {
    guard bytes.count <= WireLimits.policyLevel else { throw .count }
    var body: [UInt8]?
    var signature: [UInt8]?
    var items = Items(bytes)
    while let item = try items.next() {
      switch item.tag {
      case 1: body = try item.bytes(upTo: WireLimits.policyLevel)
      case 2: signature = try item.bytes(exactly: 64)
      default: try item.unknown()
      }
    }
    self.body = try body.required()
    self.signature = try signature.required()
    self.bytes = bytes
    self.hash = hash(bytes)
    let content = try PolicyLevelCoding.decode(self.body)
    author = content.author
    basis = content.basis
    time = content.time
    terms = content.terms
  }

  /// Makes one; `sign` gives the author's 64-byte signature of a body.
  package init(
    author: ParticipantID, basis: PolicyID, time: GroupTime, terms: PolicyTerms, sign: ([UInt8]) -> [UInt8],
    hash: ([UInt8]) -> [UInt8]
  ) {
    self.author = author
    self.basis = basis
    self.time = time
    self.terms = terms
    body = PolicyLevelCoding.encode(author: author, basis: basis, time: time, terms: terms)
    signature = sign(body)
    var writer = ItemWriter()
    writer.item(1, body)
    writer.item(2, signature)
    bytes = writer.bytes
    self.hash = hash(bytes)
  }

  package var stamp: Stamp { Stamp(time: time, author: author) }

  package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
