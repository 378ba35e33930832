import UnisonoCrypto
import UnisonoRuntime

/// A file with a set's word that a hub is one of its, as `unisono hub certify` printed it. No secret: clients are shown it.
enum CertificateFile {
  /// The certificate in the file at `path`. Refuses one that the set did not make for the hub of this id; time is not judged.
  static func read(_ path: String, of hub: [UInt8]) throws(NetworkError) -> HubCertificate {
    let text: String
    do throws(SettingsError) {
      text = try SettingsFile.text(path, hint: "unisono hub certify prints what to put there")
    } catch {
      throw NetworkError(error.message)
    }
    guard let certificate = HubCertificate(text: text) else {
      let length = HubCertificate.textLength
      throw NetworkError("\(path) holds no certificate: \(length) letters and digits, as unisono hub certify prints them")
    }
    guard certificate.names(hub) else {
      throw NetworkError("the certificate in \(path) is not this hub's, \(HubLine.text(of: hub)); have one made for that id")
    }
    return certificate
  }
}
