import Foundation
import Testing

/// One case of a vector file: what goes in, what must come out, and whether it opens.
struct VectorCase: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let given: VectorFields
  let expected: VectorFields?
  /// "ok" or the name of the error.
  let open: String
  /// Of handshakes: whose work is tested, "client", "hub" or "both".
  let side: String?
  let deterministic: Bool?

  enum CodingKeys: String, CodingKey {
    case name, open, side, deterministic
    case given = "in"
    case expected = "out"
  }

  var testDescription: String { name }
}

/// The vectors in Tests/vectors, made by generate.py there.
enum Vectors {
  private struct File: Decodable {
    let `protocol`: Int
    let group: String
    let cases: [VectorCase]
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "vectors")

  /// All cases of a group. An unreadable file gives none, which the test of the groups' sizes finds.
  static func cases(_ group: String) -> [VectorCase] {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("\(group).json")),
      let file = try? JSONDecoder().decode(File.self, from: data), file.protocol == 2, file.group == group
    else { return [] }
    return file.cases
  }

  static func good(_ group: String) -> [VectorCase] { cases(group).filter { $0.open == "ok" } }
  static func bad(_ group: String) -> [VectorCase] { cases(group).filter { $0.open != "ok" } }
}

/// A JSON object whose values are asked for by what they must be.
struct VectorFields: Decodable, Sendable {
  private let values: [String: VectorValue]

  init(from decoder: any Decoder) throws { values = try [String: VectorValue](from: decoder) }

  func has(_ key: String) -> Bool { values[key] != nil }

  func text(_ key: String) throws -> String {
    guard case .text(let text)? = values[key] else { throw VectorError.field(key) }
    return text
  }

  func bytes(_ key: String) throws -> [UInt8] {
    guard let bytes = [UInt8](hex: try text(key)) else { throw VectorError.field(key) }
    return bytes
  }

  /// A number, or one of 64 bits, which stands as text.
  func integer<Value: FixedWidthInteger>(_ key: String, _: Value.Type = Value.self) throws -> Value {
    switch values[key] {
    case .number(let number)?:
      guard let value = Value(exactly: number) else { throw VectorError.field(key) }
      return value
    case .text(let text)?:
      guard let value = Value(text) else { throw VectorError.field(key) }
      return value
    default: throw VectorError.field(key)
    }
  }

  func objects(_ key: String) throws -> [VectorFields] {
    switch values[key] {
    case .list(let list)?: return list
    case .texts(let texts)? where texts.isEmpty: return []
    default: throw VectorError.field(key)
    }
  }

  /// A list of texts.
  func textList(_ key: String) throws -> [String] {
    guard case .texts(let texts)? = values[key] else { throw VectorError.field(key) }
    return texts
  }

  /// A list of byte strings.
  func byteLists(_ key: String) throws -> [[UInt8]] {
    guard case .texts(let texts)? = values[key] else { throw VectorError.field(key) }
    return try texts.map { text in
      guard let bytes = [UInt8](hex: text) else { throw VectorError.field(key) }
      return bytes
    }
  }
}

enum VectorValue: Decodable, Sendable {
  case text(String)
  case number(Int64)
  /// Also an empty list of anything else.
  case texts([String])
  case list([VectorFields])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else if let texts = try? container.decode([String].self) {
      self = .texts(texts)
    } else {
      self = .list(try container.decode([VectorFields].self))
    }
  }
}

enum VectorError: Error { case field(String) }

extension [UInt8] {
  init?(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    guard digits.count == hex.count, hex.count % 2 == 0 else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  var hex: String { map { String(format: "%02x", $0) }.joined() }
}
