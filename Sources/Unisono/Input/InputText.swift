import CUnisono
import Glibc
import UnisonoBase

/// Texts of the host: bounded scan, then UTF-8 is checked. Limits are in bytes without the NUL.
enum InputText {
  /// A text that must be there and have at least one byte.
  static func required(
    _ pointer: UnsafePointer<CChar>?, atMost limit: Int, _ name: String, tooLong: unisono_status = .UNISONO_EINVAL
  ) throws(Failure) -> String {
    guard let text = try optional(pointer, atMost: limit, name, tooLong: tooLong), !text.isEmpty else {
      throw Failure(.UNISONO_EINVAL, "\(name) is missing; give 1...\(limit) bytes of UTF-8")
    }
    return text
  }

  /// A text that may be NULL.
  static func optional(
    _ pointer: UnsafePointer<CChar>?, atMost limit: Int, _ name: String, tooLong: unisono_status = .UNISONO_EINVAL
  ) throws(Failure) -> String? {
    guard let pointer else { return nil }
    let length = strnlen(pointer, limit + 1)
    guard length <= limit else { throw Failure(tooLong, "\(name) is longer than \(limit) bytes") }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: length)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.UNISONO_EINVAL, "\(name) is not valid UTF-8")
    }
    return text
  }

  /// A text for people that may be NULL: one that could steer a terminal, or look like another, is refused.
  static func visible(
    _ pointer: UnsafePointer<CChar>?, atMost limit: Int, _ name: String, tooLong: unisono_status = .UNISONO_EINVAL
  ) throws(Failure) -> String? {
    let text = try optional(pointer, atMost: limit, name, tooLong: tooLong)
    guard VisibleText.isPlain(text ?? "") else {
      throw Failure(.UNISONO_EINVAL, "\(name) has a control character, or one that turns the direction of writing")
    }
    return text
  }

  /// What a person says, in one or more lines.
  static func lines(_ pointer: UnsafePointer<CChar>?, atMost limit: Int, _ name: String) throws(Failure) -> String {
    let text = try required(pointer, atMost: limit, name, tooLong: .UNISONO_ETOOBIG)
    guard VisibleText.arePlain(lines: text) else {
      throw Failure(
        .UNISONO_EINVAL, "\(name) has a control character other than U+000A, or one that turns the direction of writing")
    }
    return text
  }

  /// A list of texts that must all be there.
  static func list(
    _ pointer: UnsafePointer<UnsafePointer<CChar>?>?, count: Int, atMostCount: Int, atMost limit: Int, _ name: String
  ) throws(Failure) -> [String] {
    // A size_t above Int.max arrives negative.
    guard count >= 0, count <= atMostCount else {
      throw Failure(.UNISONO_EINVAL, "\(name): at most \(atMostCount) are taken")
    }
    guard count > 0 else { return [] }
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "\(name) is NULL, but their count is \(count)") }
    var texts: [String] = []
    for index in 0..<count { texts.append(try required(pointer[index], atMost: limit, "\(name)[\(index)]")) }
    return texts
  }

  /// Bytes of the host.
  static func bytes(
    _ pointer: UnsafeRawPointer?, count: Int, atMost limit: Int, _ name: String
  ) throws(Failure) -> [UInt8] {
    guard count >= 0, count <= limit else {
      throw Failure(.UNISONO_ETOOBIG, "\(name): at most \(limit) bytes are taken")
    }
    guard count > 0 else { return [] }
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "\(name) is NULL, but its length is \(count)") }
    return Array(UnsafeRawBufferPointer(start: pointer, count: count))
  }
}
