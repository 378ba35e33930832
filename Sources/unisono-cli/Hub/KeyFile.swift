import Glibc
import UnisonoCrypto
import UnisonoRuntime

/// A file that keeps a secret: a hub's key, so that invites, which name the hub's id, stay good when it is started again; the
/// secret that its tokens are made from; or the key that a person seals with what to go on from on another day.
///
/// 32 bytes, made when it is not there, its owner's and nobody else's to read. Whoever has the first can pose as this hub; whoever
/// has the second can open rooms at it.
enum KeyFile {
  /// The secret in the file at `path`, which is made if there is none. Refuses a file that is another user's, or that others may read
  /// or write.
  static func load(_ path: String) throws(NetworkError) -> Secret {
    let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if made >= 0 {
      defer { close(made) }
      var generator = SystemRandomNumberGenerator()
      let seed = Secret { count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
      guard write(made, seed.bytes, 32) == 32, fsync(made) == 0 else { throw failure("write", path) }
      return seed
    }
    guard errno == EEXIST else { throw failure("make", path) }
    return try read(path, orElse: "remove it to have a new key")
  }

  /// The secret in the file at `path`, which is there: one that several share is nobody's to make anew. `remedy`: what else may be done
  /// about one that cannot be used.
  static func read(_ path: String, orElse remedy: String) throws(NetworkError) -> Secret {
    let found = open(path, O_RDONLY | O_CLOEXEC)
    guard found >= 0 else { throw failure("read", path) }
    defer { close(found) }
    var status = stat()
    guard fstat(found, &status) == 0 else { throw failure("read", path) }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw NetworkError("the key file \(path) is another user's; name one of your own, or chown it")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw NetworkError("the key file \(path) can be read by others; chmod 600 it, or \(remedy)")
    }
    var bytes = [UInt8](repeating: 0, count: 33)
    let count = Glibc.read(found, &bytes, bytes.count)
    guard count == 32, let seed = Secret(Array(bytes.prefix(32))) else {
      throw NetworkError("the key file \(path) does not hold 32 bytes; name another, or \(remedy)")
    }
    return seed
  }

  private static func failure(_ verb: String, _ path: String) -> NetworkError {
    NetworkError("cannot \(verb) the key file \(path): \(String(cString: strerror(errno)).lowercased())")
  }
}
