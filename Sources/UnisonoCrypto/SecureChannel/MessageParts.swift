import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Splits what is too long for one message.
enum MessageParts {
  /// Content of one part: well under what fits, with room for introductions.
  static let size = 160_000

  typealias Statements = (statements: [SignedStatement], intros: [[UInt8]])

  /// A list in pieces that each fit into a message; none at all is one, too.
  static func of<Element>(_ list: [Element], length: (Element) -> Int) -> [[Element]] {
    var parts: [[Element]] = [[]]
    var size = 0
    for element in list {
      let length = length(element)
      if size + length > Self.size || parts[parts.count - 1].count >= WireLimits.registersPerMessage {
        parts.append([])
        size = 0
      }
      parts[parts.count - 1].append(element)
      size += length
    }
    return parts
  }

  /// Levels in their order; one alone may be longer.
  static func of(_ levels: [PolicyLevel]) -> [[PolicyLevel]] {
    var parts: [[PolicyLevel]] = []
    var rest = levels[...]
    while !rest.isEmpty {
      var part: [PolicyLevel] = []
      var size = 0
      while let next = rest.first, part.isEmpty || size + next.bytes.count <= Self.size {
        part.append(rest.removeFirst())
        size += next.bytes.count
      }
      parts.append(part)
    }
    return parts
  }

  /// Statements, with the introductions of authors who are relayed but for those who are known already.
  ///
  /// - Parameter sign: signed bytes; nil: it cannot be said.
  static func of(
    _ statements: [Statement], introductions: Introductions, known: Set<ParticipantID>, sign: (Statement) -> SignedStatement?
  ) -> [Statements] {
    var parts: [Statements] = []
    var part: Statements = ([], [])
    var size = 0
    var introduced = known
    for statement in statements {
      guard let signed = sign(statement) else { continue }
      var intro: [UInt8]?
      if !introduced.contains(statement.author) { intro = introductions[statement.author]?.bytes }
      let length = signed.body.count + signed.signature.count + 16 + (intro?.count ?? 0)
      if size + length > Self.size, !part.statements.isEmpty {
        parts.append(part)
        part = ([], [])
        size = 0
      }
      part.statements.append(signed)
      if let intro {
        part.intros.append(intro)
        introduced.insert(statement.author)
      }
      size += length
    }
    if !part.statements.isEmpty { parts.append(part) }
    return parts
  }
}
