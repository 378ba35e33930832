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
}

/// What is done with the files of attachments; waits for the disk.
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
  private static func hash(_ file: DiskFile, size: UInt64) throws(DiskError) -> AttachmentID? {
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

  // MARK: A file that comes

  static func part(of path: String) -> String { path + ".part" }

  static func open(_ path: String) -> Attachments.Outcome {
    if DiskFile.exists(path) { return .exists }
    return outcome { () throws(DiskError) in _ = try DiskFile(part(of: path), DiskFile.new) }
  }

  static func write(_ bytes: [UInt8], at offset: UInt64, of path: String) -> Attachments.Outcome {
    outcome { () throws(DiskError) in try DiskFile(part(of: path), DiskFile.forWriting).write(bytes, at: offset) }
  }

  static func restart(_ path: String) -> Attachments.Outcome {
    outcome { () throws(DiskError) in try DiskFile(part(of: path), DiskFile.forWriting).empty() }
  }

  static func copy(_ held: HeldAttachment, size: UInt64, to path: String) -> Attachments.Outcome {
    let opened = open(path)
    guard opened == .done else { return opened }
    var offset: UInt64 = 0
    while offset < size {
      guard let bytes = read(held, offset: offset, length: Int(min(UInt64(step), size - offset))), !bytes.isEmpty else { return .failed }
      let written = write(bytes, at: offset, of: path)
      guard written == .done else { return written }
      offset += UInt64(bytes.count)
    }
    return .done
  }

  /// Puts what came in its place, if it is what was offered.
  static func check(_ id: AttachmentID, size: UInt64, at path: String) -> (Attachments.Outcome, HeldAttachment?) {
    do {
      let file = try DiskFile(part(of: path), DiskFile.forWriting)
      guard try file.state()?.size == size, try hash(file, size: size) == id else { return (.differs, nil) }
      try file.synchronize()
      // The place is taken first: renaming alone would replace what came there meanwhile.
      _ = try DiskFile(path, DiskFile.new)
      try DiskFile.rename(part(of: path), to: path)
      guard let state = try file.state() else { return (.failed, nil) }
      return (.done, .file(path: path, state))
    } catch {
      return (error.isOccupied ? .exists : .failed, nil)
    }
  }

  static func discard(_ path: String) { try? DiskFile.remove(part(of: path)) }

  private static func outcome(_ act: () throws(DiskError) -> Void) -> Attachments.Outcome {
    do throws(DiskError) {
      try act()
      return .done
    } catch {
      return error.isOccupied ? .exists : .failed
    }
  }
}
