import CUV
import Glibc

/// Refusal of the file system: libuv's number, and in words.
struct DiskError: Error, Equatable, Sendable {
  var code: Int32

  /// Something of that name is there already.
  var isOccupied: Bool { code == UV_EEXIST.rawValue }
  var message: String { String(cString: uv_strerror(code)) }
}

/// What tells one state of a file from another.
struct FileState: Equatable, Sendable {
  var size: UInt64
  var device: UInt64
  var inode: UInt64
  /// When its bytes changed last, as the file system says, ns.
  var changed: Int64
}

/// What there is to know of a file, or of what is in a file's place.
struct FileStatus: Sendable {
  enum Kind: Sendable {
    case regular
    case link
    /// A folder, a pipe, a device.
    case other
  }

  var kind: Kind
  /// It belongs to the user as whom this process runs.
  var isOwn: Bool
  /// POSIX's permissions.
  var mode: UInt64
  /// Names that it has.
  var links: UInt64
  var state: FileState
}

/// An open file. Its calls wait for the disk: they belong on a `DiskQueue`.
final class DiskFile: Sendable {
  static let forReading = O_RDONLY
  /// It is there, and no link.
  static let present = O_RDWR | O_NOFOLLOW
  /// It must not be there yet.
  static let new = O_RDWR | O_CREAT | O_EXCL

  /// POSIX's S_IFMT, S_IFREG and S_IFLNK.
  private static let kinds: UInt64 = 0o170000
  private static let regular: UInt64 = 0o100000
  private static let link: UInt64 = 0o120000

  private let descriptor: uv_file

  init(_ path: String, _ flags: Int32) throws(DiskError) {
    // Reading a pipe or a terminal would wait for ever.
    descriptor = uv_file(try Self.call { uv_fs_open(nil, $0, path, flags | O_NONBLOCK | O_CLOEXEC, 0o644, nil) })
  }

  /// For reading. One below a folder, by the names of the folders in between and its own: no link among them is followed, only one that
  /// `folder` itself may be.
  init(below folder: String, _ names: [String]) throws(DiskError) {
    var current = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for (index, name) in names.enumerated() where current >= 0 {
      let isLast = index == names.count - 1
      let next = openat(current, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY))
      let reason = errno
      Glibc.close(current)
      errno = reason
      current = next
    }
    guard current >= 0 else { throw DiskError(code: uv_translate_sys_error(errno)) }
    descriptor = current
  }

  deinit { _ = try? Self.call { uv_fs_close(nil, $0, descriptor, nil) } }

  /// nil: no regular file.
  func state() throws(DiskError) -> FileState? {
    let status = try status()
    return status.kind == .regular ? status.state : nil
  }

  func status() throws(DiskError) -> FileStatus { try Self.status { uv_fs_fstat(nil, $0, descriptor, nil) } }

  /// Of what is at a path; a link is not followed.
  static func status(of path: String) throws(DiskError) -> FileStatus { try status { uv_fs_lstat(nil, $0, path, nil) } }

  private static func status(_ look: (UnsafeMutablePointer<uv_fs_t>) -> Int32) throws(DiskError) -> FileStatus {
    var request = uv_fs_t()
    let status = look(&request)
    defer { uv_fs_req_cleanup(&request) }
    guard status >= 0 else { throw DiskError(code: status) }
    let found = request.statbuf
    let kind: FileStatus.Kind =
      switch found.st_mode & kinds {
      case regular: .regular
      case link: .link
      default: .other
      }
    let changed = Int64(found.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(found.st_mtim.tv_nsec)
    let state = FileState(size: found.st_size, device: found.st_dev, inode: found.st_ino, changed: changed)
    return FileStatus(
      kind: kind, isOwn: found.st_uid == UInt64(geteuid()), mode: found.st_mode & ~kinds, links: found.st_nlink, state: state)
  }

  /// Until it is closed, also by the end of the process, others who ask for it so do not get it. False: another one has it.
  func lock() -> Bool {
    // A file system without locks has none for anybody.
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Fewer than `count` bytes at the file's end only.
  func read(_ count: Int, at offset: UInt64) throws(DiskError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = try Self.call { request in
        bytes.withUnsafeMutableBytes { place in
          let base = place.baseAddress?.advanced(by: filled).assumingMemoryBound(to: CChar.self)
          var buffer = uv_buf_init(base, UInt32(count - filled))
          return uv_fs_read(nil, request, descriptor, &buffer, 1, Int64(offset) + Int64(filled), nil)
        }
      }
      if read == 0 { break }
      filled += read
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(DiskError) {
    var done = 0
    while done < bytes.count {
      done += try Self.call { request in
        bytes.withUnsafeBytes { place in
          let base = place.baseAddress?.advanced(by: done).assumingMemoryBound(to: CChar.self)
          var buffer = uv_buf_init(UnsafeMutablePointer(mutating: base), UInt32(bytes.count - done))
          return uv_fs_write(nil, request, descriptor, &buffer, 1, Int64(offset) + Int64(done), nil)
        }
      }
    }
  }

  func empty() throws(DiskError) { _ = try Self.call { uv_fs_ftruncate(nil, $0, descriptor, 0, nil) } }

  /// What was written outlives a loss of power.
  func synchronize() throws(DiskError) { _ = try Self.call { uv_fs_fsync(nil, $0, descriptor, nil) } }

  /// Gives it the name `target`, if nothing has that.
  static func move(_ path: String, to target: String) throws(DiskError) {
    // Renaming would replace what came there meanwhile.
    do throws(DiskError) {
      _ = try call { uv_fs_link(nil, $0, path, target, nil) }
    } catch {
      guard error.code == UV_EPERM.rawValue || error.code == UV_ENOTSUP.rawValue || error.code == UV_ENOSYS.rawValue else { throw error }
      // A file system where nothing has two names: the place is taken first.
      _ = try DiskFile(target, new)
      _ = try call { uv_fs_rename(nil, $0, path, target, nil) }
      return
    }
    try remove(path)
  }

  static func remove(_ path: String) throws(DiskError) { _ = try call { uv_fs_unlink(nil, $0, path, nil) } }

  /// Whether something is there, and be it a link to nowhere.
  static func exists(_ path: String) -> Bool { (try? call { uv_fs_lstat(nil, $0, path, nil) }) != nil }

  /// Without a loop and a callback libuv does it at once.
  private static func call(_ act: (UnsafeMutablePointer<uv_fs_t>) -> Int32) throws(DiskError) -> Int {
    var request = uv_fs_t()
    let status = act(&request)
    uv_fs_req_cleanup(&request)
    guard status >= 0 else { throw DiskError(code: status) }
    return Int(status)
  }
}
