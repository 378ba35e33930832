import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What JavaScript gives, copied and checked as the C API checks it.
struct Given {
  private let content: [UInt8]

  init(_ pointer: UnsafeRawPointer, _ length: Int32) { content = UnisonoWeb.bytes(at: pointer, length) }

  private init(_ content: [UInt8]) { self.content = content }

  /// Of several, each behind its length (4 bytes, little-endian).
  func parts(atMost limit: Int, _ name: String) throws(Failure) -> [Given] {
    var reader = ByteReader(content)
    var parts: [Given] = []
    do throws(WireError) {
      while !reader.isAtEnd, parts.count < limit {
        let length = try reader.integer(UInt32.self).byteSwapped
        parts.append(Given(try reader.array(Int(truncatingIfNeeded: length))))
      }
      try reader.finish()
    } catch {
      throw Failure(.invalid, "\(name): at most \(limit) are taken")
    }
    return parts
  }

  /// Any bytes.
  func bytes(atMost limit: Int, _ name: String) throws(Failure) -> [UInt8] {
    guard content.count <= limit else { throw Failure(.tooBig, "\(name): at most \(limit) bytes are taken") }
    return content
  }

  /// A text that may be missing, which is empty then.
  func text(atMost limit: Int, _ name: String) throws(Failure) -> String? {
    guard content.count <= limit else { throw Failure(.invalid, "\(name) is longer than \(limit) bytes") }
    guard !content.contains(0), let text = String(validating: content, as: UTF8.self) else {
      throw Failure(.invalid, "\(name) is not valid UTF-8, or has a U+0000")
    }
    return text.isEmpty ? nil : text
  }

  func required(atMost limit: Int, _ name: String) throws(Failure) -> String {
    guard let text = try text(atMost: limit, name) else {
      throw Failure(.invalid, "\(name) is missing; give 1...\(limit) bytes of UTF-8")
    }
    return text
  }

  /// For people: one that could steer a terminal, or look like another, is refused.
  func visible(atMost limit: Int, _ name: String) throws(Failure) -> String? {
    let text = try text(atMost: limit, name)
    guard VisibleText.isPlain(text ?? "") else {
      throw Failure(.invalid, "\(name) has a control character, or one that turns the direction of writing")
    }
    return text
  }

  /// What a person says, in one or more lines.
  func lines(atMost limit: Int, _ name: String) throws(Failure) -> String {
    let text = try required(atMost: limit, name)
    guard VisibleText.arePlain(lines: text) else {
      throw Failure(.invalid, "\(name) has a control character other than U+000A, or one that turns the direction of writing")
    }
    return text
  }

  func item(_ name: String) throws(Failure) -> ItemID { ItemID(try required(atMost: ItemID.maximumLength, name)) }

  /// In parts: identifier, title, subtitle, address, payload, image, and three bytes: the `unisono_activity_type`, 1 if it ends with its
  /// initiator, 1 if it may be gone on with. nil: without an identifier there is none.
  func activity() throws(Failure) -> Activity? {
    let parts = try parts(atMost: 7, "activity")
    guard parts.count == 7, let identifier = try parts[0].visible(atMost: WireLimits.identifier, "identifier") else { return nil }
    let facts = try parts[6].bytes(atMost: 3, "activity")
    guard facts.count == 3, facts[0] < 10 else { throw Failure(.invalid, "there is no such type of activity") }
    return Activity(
      type: facts[0], identifier: identifier, title: try parts[1].visible(atMost: WireLimits.title, "title"),
      subtitle: try parts[2].visible(atMost: WireLimits.title, "subtitle"),
      fallbackURL: try parts[3].visible(atMost: WireLimits.url, "address"),
      previewImage: try parts[5].bytes(atMost: WireLimits.image, "image"),
      payload: try parts[4].bytes(atMost: WireLimits.payload, "payload"), lifetime: facts[1] != 0 ? 1 : 0,
      supportsContinuation: facts[2] != 0)
  }

  /// nil: none was given.
  func identifier<Kind>(_ name: String, _ kind: Kind.Type) throws(Failure) -> Identifier<Kind>? {
    if content.isEmpty { return nil }
    guard let id = Identifier<Kind>(bytes: content), id != .none else { throw Failure(.invalid, "\(name) is not 16 bytes") }
    return id
  }

  /// Identifiers one behind the other.
  func identifiers<Kind>(atMost limit: Int, _ name: String, _ kind: Kind.Type) throws(Failure) -> [Identifier<Kind>] {
    guard content.count % 16 == 0, content.count / 16 <= limit else {
      throw Failure(.invalid, "\(name): at most \(limit) identifiers of 16 bytes are taken")
    }
    return stride(from: 0, to: content.count, by: 16).compactMap { Identifier<Kind>(bytes: content[$0..<($0 + 16)]) }
  }
}
