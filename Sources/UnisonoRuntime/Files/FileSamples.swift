import Glibc
import UnisonoCrypto

/// Size of a file, and a hash of samples of it, by which two copies are known to be the same (wire 8.15).
///
/// A film of gigabytes is not read as a whole: what differs between two files of one size differs at the beginning, in the middle or
/// at the end, as containers keep their tables there.
package struct FileSamples: Sendable {
  package enum Problem: Error {
    case notFound, denied, notRegular, isEmpty
    /// It could not be read, or became shorter meanwhile.
    case unreadable
  }

  /// Bytes of one sample; a file of at most three of them is read as a whole.
  private static let sample = 65_536

  package let size: UInt64
  /// SHA-256, 32 bytes.
  package let hash: [UInt8]

  package init(path: String) throws(Problem) {
    // A pipe that nobody writes to is not waited for.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw switch errno {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM: .denied
      default: .unreadable
      }
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    let length = Int(status.st_size)
    guard length > 0 else { throw .isEmpty }
    size = UInt64(length)
    var bytes = (0..<8).map { [size] in UInt8(truncatingIfNeeded: size >> UInt64(56 - 8 * $0)) }
    if length <= 3 * Self.sample {
      bytes += try Self.read(file, from: 0, count: length)
    } else {
      for start in [0, length / 2 - Self.sample / 2, length - Self.sample] {
        bytes += try Self.read(file, from: start, count: Self.sample)
      }
    }
    hash = Hash.sha256(bytes)
  }

  private static func read(_ file: Int32, from start: Int, count: Int) throws(Problem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress.map { $0 + done }, count - done, off_t(start + done)) }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { throw .unreadable }
      done += read
    }
    return bytes
  }
}
