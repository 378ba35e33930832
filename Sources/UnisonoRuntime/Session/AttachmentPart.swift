import CUV
import Synchronization
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// The file that an attachment comes into, beside the one that it becomes: `film.mkv` comes into `film.mkv.0123456789abcdef.part`, with
/// the first 16 digits of the content's name.
///
/// What an earlier load left of the same content is found by that, also by another process. Nothing of another content, and nothing that
/// somebody put there, is taken for it: a file is only gone on with if it is this user's alone and nobody else writes it, and counts as
/// the attachment only once the whole was compared with its hash. Its calls wait for the disk, and come one after the other, on a
/// `DiskQueue`; one load of all processes has it at a time.
final class AttachmentPart: Sendable {
  private static let step = 262_144
  /// POSIX's S_IWGRP and S_IWOTH.
  private static let writableByOthers: UInt64 = 0o022

  private enum State {
    case untouched
    /// Judged, and locked.
    case open(DiskFile)
    case over
  }

  private enum Found {
    case file(DiskFile)
    case flaw(Attachments.Flaw)
  }

  private let path: String
  private let part: String
  private let id: AttachmentID
  private let size: UInt64
  private let state = Mutex(State.untouched)

  init(of id: AttachmentID, size: UInt64, at path: String) {
    self.path = path
    self.id = id
    self.size = size
    part = "\(path).\(id).part"
  }

  /// Makes it, or finds what is there of it. Returns how many bytes that are.
  func open() -> (Attachments.Outcome, UInt64) {
    var present: UInt64 = 0
    state.withLock { $0 = .over }
    let outcome = outcome { () throws(DiskError) in
      if DiskFile.exists(path) { return .exists }
      switch try find() {
      case .flaw(let flaw): return .unusable(flaw)
      case .file(let file):
        present = try file.status().state.size
        state.withLock { $0 = .open(file) }
        return .done
      }
    }
    return (outcome, present)
  }

  private func find() throws(DiskError) -> Found {
    do throws(DiskError) {
      return try claim(try DiskFile(part, DiskFile.new))
    } catch {
      guard error.isOccupied else { throw error }
    }
    // Opening a device may do something already.
    if let flaw = flaw(of: try DiskFile.status(of: part)) { return .flaw(flaw) }
    let file = try DiskFile(part, DiskFile.present)
    if let flaw = flaw(of: try file.status()) { return .flaw(flaw) }
    return try claim(file)
  }

  /// Keeps other loads out.
  private func claim(_ file: DiskFile) throws(DiskError) -> Found {
    // Who had it until now may have put it in its place, where it must not be written any more.
    guard file.lock(), try isInPlace(file) else { return .flaw(.busy) }
    return .file(file)
  }

  private func isInPlace(_ file: DiskFile) throws(DiskError) -> Bool {
    guard let there = try? DiskFile.status(of: part).state else { return false }
    let own = try file.status().state
    return (there.device, there.inode) == (own.device, own.inode)
  }

  private func flaw(of status: FileStatus) -> Attachments.Flaw? {
    if status.kind == .link { return .link }
    if status.kind != .regular { return .noFile }
    if !status.isOwn { return .foreign }
    if status.links > 1 { return .named }
    if status.mode & Self.writableByOthers != 0 { return .shared }
    return status.state.size > size ? .tooLong : nil
  }

  func write(_ bytes: [UInt8], at offset: UInt64) -> Attachments.Outcome {
    outcome { file throws(DiskError) in
      try file.write(bytes, at: offset)
      return .done
    }
  }

  func restart() -> Attachments.Outcome {
    outcome { file throws(DiskError) in
      try file.empty()
      return .done
    }
  }

  /// Fills it with what is here already.
  func copy(_ held: HeldAttachment) -> Attachments.Outcome {
    let opened = open().0
    guard opened == .done else { return opened }
    return outcome { file throws(DiskError) in
      try file.empty()
      var offset: UInt64 = 0
      while offset < size {
        let bytes = AttachmentFile.read(held, offset: offset, length: Int(min(UInt64(Self.step), size - offset)))
        guard let bytes, !bytes.isEmpty else { return .unusable(.source) }
        try file.write(bytes, at: offset)
        offset += UInt64(bytes.count)
      }
      return .done
    }
  }

  /// Puts what came in its place, if it is what was offered.
  func check() -> (Attachments.Outcome, HeldAttachment?) {
    var held: HeldAttachment?
    let outcome = outcome { file throws(DiskError) in
      guard try file.status().state.size == size, try AttachmentFile.hash(file, size: size) == id else { return .differs }
      try file.synchronize()
      guard try isInPlace(file) else { return .unusable(.replaced) }
      try DiskFile.move(part, to: path)
      held = .file(path: path, try file.status().state)
      return .done
    }
    if outcome == .done { state.withLock { $0 = .over } }
    return (outcome, held)
  }

  /// Throws away what came, and what an earlier load left where this one had not begun.
  func discard() {
    if case .untouched = state.withLock({ $0 }) { _ = open() }
    end { _ in true }
  }

  /// Leaves what came, if anything did, for a later load.
  func keep() { end { $0.state.size == 0 } }

  private func end(removing isWorthless: (FileStatus) -> Bool) {
    state.withLock { state in
      if case .open(let file) = state, let status = try? file.status(), isWorthless(status), (try? isInPlace(file)) == true {
        try? DiskFile.remove(part)
      }
      state = .over
    }
  }

  private func outcome(_ act: (DiskFile) throws(DiskError) -> Attachments.Outcome) -> Attachments.Outcome {
    guard case .open(let file) = state.withLock({ $0 }) else { return .unusable(.replaced) }
    return outcome { () throws(DiskError) in try act(file) }
  }

  private func outcome(_ act: () throws(DiskError) -> Attachments.Outcome) -> Attachments.Outcome {
    do throws(DiskError) {
      return try act()
    } catch {
      return error.isOccupied ? .exists : .failed(code: error.code)
    }
  }
}
