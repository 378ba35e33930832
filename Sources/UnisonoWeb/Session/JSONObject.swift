import UnisonoBase
import UnisonoReplica

/// One object of JSON, as it is being written. Names are the module's own; texts may be anything.
struct JSONObject {
  private var members = ""

  /// Complete.
  var text: String { "{\(members)}" }

  private mutating func add(_ name: String, literal: String) {
    if !members.isEmpty { members += "," }
    members += "\"\(name)\":\(literal)"
  }

  mutating func add(_ name: String, _ value: Bool) { add(name, literal: value ? "true" : "false") }

  mutating func add<Number: FixedWidthInteger>(_ name: String, number: Number) { add(name, literal: "\(number)") }

  /// Not finite: null.
  mutating func add(_ name: String, _ value: Double) { add(name, literal: value.isFinite ? "\(value)" : "null") }

  /// As it is; nil: null.
  mutating func add(_ name: String, _ text: String?) { add(name, literal: text.map { Self.quoted($0) } ?? "null") }

  /// What others wrote, for people: without what could steer a terminal, or turn the direction of writing.
  mutating func add(_ name: String, visible text: String?) { add(name, text.map { VisibleText.plain($0) }) }

  mutating func add(_ name: String, texts: [String]) { add(name, list: texts.map { Self.quoted($0) }) }

  /// nil: null.
  mutating func add(_ name: String, object: JSONObject?) { add(name, literal: object?.text ?? "null") }

  /// nil: null.
  mutating func add(_ name: String, _ number: UInt64?) {
    guard let number else { return add(name, literal: "null") }
    add(name, number: number)
  }

  mutating func add(_ name: String, objects: [JSONObject]) { add(name, list: objects.map { $0.text }) }

  private mutating func add(_ name: String, list: [String]) {
    var all = ""
    for one in list { all += all.isEmpty ? one : ",\(one)" }
    add(name, literal: "[\(all)]")
  }

  /// In ns; nil, INVALID and INDEFINITE: null.
  mutating func add(_ name: String, time: Int64?) {
    guard let time, time != .min, time != .max else { return add(name, literal: "null") }
    add(name, number: time)
  }

  /// nil and `.none`: null.
  mutating func add(_ name: String, id: ParticipantID?) {
    add(name, id.flatMap { $0 == .none ? nil : Self.digits($0.bytes) })
  }

  mutating func add(_ name: String, item: ItemID?) { add(name, item.map { $0.description }) }

  /// Two digits for each byte.
  static func digits(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5c: bytes += [0x5c, byte]
      case 0..<0x20: bytes += Array("\\u00\(digits([byte]))".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [0x22], as: UTF8.self)
  }
}
