import UnisonoCoordination
import UnisonoReplica

/// Refusal of the file system, which a browser has none of.
struct DiskError: Error, Equatable, Sendable {
  /// libuv's number for what is not there (ENOSYS).
  static let notThere: Int32 = -38
  var code = Self.notThere
  var isOccupied: Bool { false }
  var message: String { "a browser has no files that a session could read or write" }
}

/// State of a file, which there is none of.
struct FileState: Equatable, Sendable {
  private let nothing: Never
  var size: UInt64 { switch nothing {} }

  static func == (left: Self, right: Self) -> Bool { switch left.nothing {} }
}

/// An open file, which there is none of.
final class DiskFile: Sendable {
  static let forReading: Int32 = 0
  private let nothing: Never

  init(_ path: String, _ flags: Int32) throws(DiskError) { throw DiskError() }

  func state() throws(DiskError) -> FileState? { switch nothing {} }
  func read(_ count: Int, at offset: UInt64) throws(DiskError) -> [UInt8] { switch nothing {} }
}

/// The file that an attachment comes into: it cannot be made.
final class AttachmentPart: Sendable {
  init(of id: AttachmentID, size: UInt64, at path: String) {}

  func open() -> (Attachments.Outcome, UInt64) { (refused, 0) }
  func write(_ bytes: [UInt8], at offset: UInt64) -> Attachments.Outcome { refused }
  func restart() -> Attachments.Outcome { refused }
  func copy(_ held: HeldAttachment) -> Attachments.Outcome { refused }
  func check() -> (Attachments.Outcome, HeldAttachment?) { (refused, nil) }
  func discard() {}
  func keep() {}

  private var refused: Attachments.Outcome { .failed(code: DiskError.notThere) }
}
