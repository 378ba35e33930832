import Glibc
import UnisonoCrypto
import UnisonoRuntime

/// The file that keeps a hub's key, so that invites which name the hub's id stay good when it is started again.
///
/// 32 bytes, made when it is not there, readable by its owner only. Whoever has it can pose as this hub.
enum KeyFile {
  /// The key in the file at `path`, which is made if there is none.
  static func load(_ path: String) throws(NetworkError) -> SigningKey {
    let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if made >= 0 {
      defer { close(made) }
      var generator = SystemRandomNumberGenerator()
      let seed = Secret { count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
      guard write(made, seed.bytes, 32) == 32, fsync(made) == 0 else { throw failure("write", path) }
      return SigningKey(seed: seed)
    }
    guard errno == EEXIST else { throw failure("make", path) }
    let found = open(path, O_RDONLY | O_CLOEXEC)
    guard found >= 0 else { throw failure("read", path) }
    defer { close(found) }
    var bytes = [UInt8](repeating: 0, count: 33)
    let count = read(found, &bytes, bytes.count)
    guard count == 32, let seed = Secret(Array(bytes.prefix(32))) else {
      throw NetworkError("the key file \(path) does not hold 32 bytes; name another, or remove it to have a new key")
    }
    return SigningKey(seed: seed)
  }

  private static func failure(_ verb: String, _ path: String) -> NetworkError {
    NetworkError("cannot \(verb) the key file \(path): \(String(cString: strerror(errno)).lowercased())")
  }
}
