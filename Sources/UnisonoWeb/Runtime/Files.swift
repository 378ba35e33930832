import UnisonoCoordination
import UnisonoCrypto
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

/// What an attachment comes into: memory, as there are no files. What it is named after is nothing here.
///
/// A module has one thread, so nobody else calls meanwhile.
final class AttachmentPart: @unchecked Sendable {
  private let id: AttachmentID
  private let size: UInt64
  private var bytes: [UInt8] = []

  init(of id: AttachmentID, size: UInt64, at path: String) { (self.id, self.size) = (id, size) }

  func open() -> (Attachments.Outcome, UInt64) { (.done, 0) }

  func write(_ bytes: [UInt8], at offset: UInt64) -> Attachments.Outcome {
    let end = offset.addingReportingOverflow(UInt64(bytes.count))
    guard !end.overflow, end.partialValue <= size, offset <= UInt64(self.bytes.count) else { return .unusable(.tooLong) }
    self.bytes.replaceSubrange(Int(offset)..<min(Int(end.partialValue), self.bytes.count), with: bytes)
    return .done
  }

  func restart() -> Attachments.Outcome {
    bytes = []
    return .done
  }

  /// Takes what is here already.
  func copy(_ held: HeldAttachment) -> Attachments.Outcome {
    guard let all = AttachmentFile.read(held, offset: 0, length: Int(size)) else { return .unusable(.source) }
    bytes = all
    return .done
  }

  /// What came, if it is what was offered.
  func check() -> (Attachments.Outcome, HeldAttachment?) {
    guard UInt64(bytes.count) == size, AttachmentID(Hash.sha256(bytes)) == id else { return (.differs, nil) }
    return (.done, .bytes(bytes))
  }

  func discard() { bytes = [] }
  func keep() { bytes = [] }
}
