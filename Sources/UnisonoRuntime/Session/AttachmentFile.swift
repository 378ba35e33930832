import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica

/// Bytes that the host offers.
package enum AttachmentSource: Sendable {
  case file(path: String)
  case bytes([UInt8])
}

/// Bytes that are here, and can be given to others.
enum HeldAttachment: Sendable {
  case bytes([UInt8])
  /// As long as it stays as it was.
  case file(path: String, FileState)

  var size: UInt64 {
    switch self {
    case .bytes(let bytes): UInt64(bytes.count)
    case .file(_, let state): state.size
    }
  }
}

/// What is done with the files that this participant gives to others; waits for the disk.
enum AttachmentFile {
  private static let step = 262_144

  struct Hashed: Sendable {
    var id: AttachmentID
    var size: UInt64
    var held: HeldAttachment
  }

  enum Unusable: Error, Sendable {
    case tooBig
    case changed
    case noFile
    case disk(DiskError)
  }

  static func hash(_ source: AttachmentSource) -> Result<Hashed, Unusable> {
    switch source {
    case .bytes(let bytes):
      guard let id = AttachmentID(Hash.sha256(bytes)) else { return .failure(.noFile) }
      return .success(Hashed(id: id, size: UInt64(bytes.count), held: .bytes(bytes)))
    case .file(let path):
      do {
        let file = try DiskFile(path, DiskFile.forReading)
        guard let state = try file.state() else { return .failure(.noFile) }
        guard state.size <= WireLimits.attachmentSize else { return .failure(.tooBig) }
        guard let id = try hash(file, size: state.size), try file.state() == state else { return .failure(.changed) }
        return .success(Hashed(id: id, size: state.size, held: .file(path: path, state)))
      } catch {
        return .failure(.disk(error))
      }
    }
  }

  /// nil: it has fewer bytes.
  static func hash(_ file: DiskFile, size: UInt64) throws(DiskError) -> AttachmentID? {
    var hash = RunningHash()
    var offset: UInt64 = 0
    while offset < size {
      let bytes = try file.read(Int(min(UInt64(step), size - offset)), at: offset)
      if bytes.isEmpty { return nil }
      hash.update(bytes)
      offset += UInt64(bytes.count)
    }
    return AttachmentID(hash.value())
  }

  /// nil: it is not there any more as it was.
  static func read(_ held: HeldAttachment, offset: UInt64, length: Int) -> [UInt8]? {
    switch held {
    case .bytes(let bytes):
      guard offset <= bytes.count else { return nil }
      return Array(bytes.dropFirst(Int(offset)).prefix(length))
    case .file(let path, let state):
      guard let file = try? DiskFile(path, DiskFile.forReading), (try? file.state()) == state,
        let bytes = try? file.read(length, at: offset), bytes.count == length
      else { return nil }
      return bytes
    }
  }
}
