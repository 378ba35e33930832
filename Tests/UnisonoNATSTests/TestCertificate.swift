#if NATS
  import Glibc
  import UnisonoRuntime

  /// A certificate that is its own authority, with its key, in a folder that is gone with this object.
  final class TestCertificate {
    static let isPossible = access("/usr/bin/openssl", X_OK) == 0
    /// Why a test is skipped.
    static let missing = "openssl is not installed; on Debian: apt install openssl"

    let certificate: String
    let key: String
    private let folder: String

    /// `name`: what it is for, "IP:127.0.0.1" or "DNS:host".
    init(for name: String) throws {
      var template = Array("/tmp/unisono-nats-XXXXXX".utf8CString)
      guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else {
        throw NetworkError("no folder for a certificate")
      }
      self.folder = folder
      certificate = folder + "/certificate.pem"
      key = folder + "/key.pem"
      let words = [
        "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", key,
        "-out", certificate, "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(name)",
      ]
      var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      defer { for pointer in pointers { free(pointer) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
      var process: pid_t = 0
      var status: Int32 = 1
      guard posix_spawn(&process, words[0], &actions, nil, &pointers, environ) == 0,
        waitpid(process, &status, 0) == process, status == 0
      else { throw NetworkError("openssl makes no certificate") }
    }

    deinit {
      unlink(certificate)
      unlink(key)
      rmdir(folder)
    }
  }
#endif
