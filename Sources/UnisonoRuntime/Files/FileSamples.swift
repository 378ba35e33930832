import Glibc

/// Size of a file, and a hash of samples of it, by which two copies are known to be the same (wire 8.15).
package struct FileSamples: Sendable {
  package enum Problem: Error {
    case notFound, denied, notRegular, isEmpty
    /// It could not be read, or became shorter meanwhile.
    case unreadable
  }

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
    guard status.st_size > 0 else { throw .isEmpty }
    size = UInt64(status.st_size)
    let samples = CopySamples(ofFile: size)
    var bytes: [UInt8] = []
    for range in samples.ranges { bytes += try Self.read(file, from: Int(range.lowerBound), count: range.count) }
    hash = samples.hash(bytes)
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
