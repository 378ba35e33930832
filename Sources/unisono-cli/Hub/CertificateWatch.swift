import UnisonoBase
import UnisonoCrypto

/// When whoever runs a hub is told that its certificate is over soon, or is over: from a week before, once a day.
struct CertificateWatch {
  /// Between two looks.
  static let interval = Nanoseconds.seconds(3_600)
  /// Hours before the end from which on it is told.
  private static let early: UInt32 = 7 * 24
  private static let day: UInt32 = 24

  let certificate: HubCertificate
  /// Hour in which it was told last.
  private var told: UInt32?

  init(_ certificate: HubCertificate) { self.certificate = certificate }

  /// What is to be told at this hour since 1970, UTC; nil: nothing, or it was a moment ago.
  mutating func look(at hour: UInt32) -> String? {
    let isOver = certificate.isOver(at: hour)
    guard isOver || certificate.until - hour <= Self.early else { return nil }
    if let told, hour >= told, hour - told < Self.day, !isOver || certificate.isOver(at: told) { return nil }
    told = hour
    let remedy = "have another made with unisono hub certify, put it in the file, and send SIGHUP"
    if isOver { return "the certificate is over: who knows this hub by its set does not enter any more; \(remedy)" }
    let left = certificate.until - hour
    let time = left < 2 * Self.day ? "\(left) h" : "\(left / Self.day) days"
    return "the certificate is over in \(time), and then nobody enters who knows this hub by its set; \(remedy)"
  }
}
