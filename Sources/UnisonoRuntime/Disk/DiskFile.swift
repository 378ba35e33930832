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

/// An open file. Its calls wait for the disk: they belong on a `DiskQueue`.
final class DiskFile {
  static let forReading = O_RDONLY
  static let forWriting = O_RDWR
  /// It must not be there yet.
  static let new = O_RDWR | O_CREAT | O_EXCL

  /// POSIX's S_IFMT and S_IFREG.
  private static let kinds: UInt64 = 0o170000
  private static let regular: UInt64 = 0o100000

  private let descriptor: uv_file

  init(_ path: String, _ flags: Int32) throws(DiskError) {
    // Reading a pipe or a terminal would wait for ever.
    descriptor = uv_file(try Self.call { uv_fs_open(nil, $0, path, flags | O_NONBLOCK | O_CLOEXEC, 0o644, nil) })
  }

  deinit { _ = try? Self.call { uv_fs_close(nil, $0, descriptor, nil) } }

  /// nil: no regular file.
  func state() throws(DiskError) -> FileState? {
    var request = uv_fs_t()
    let status = uv_fs_fstat(nil, &request, descriptor, nil)
    defer { uv_fs_req_cleanup(&request) }
    guard status >= 0 else { throw DiskError(code: status) }
    let found = request.statbuf
    guard found.st_mode & Self.kinds == Self.regular else { return nil }
    let changed = Int64(found.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(found.st_mtim.tv_nsec)
    return FileState(size: found.st_size, device: found.st_dev, inode: found.st_ino, changed: changed)
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

  /// Replaces what is at `target`.
  static func rename(_ path: String, to target: String) throws(DiskError) {
    _ = try call { uv_fs_rename(nil, $0, path, target, nil) }
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
