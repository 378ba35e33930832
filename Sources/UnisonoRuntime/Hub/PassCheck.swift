import UnisonoCrypto
import UnisonoWire

/// Judge of the passes that strangers show to open rooms: whether they are genuine and in time.
package struct PassCheck: Sendable {
  private let secret: HubSecret?
  private let revoked: Set<UInt64>
  /// Hours since 1970, UTC.
  private let hour: @Sendable () -> UInt32

  /// No pass is good.
  package init() { self.init(secret: nil, hour: { 0 }) }

  /// `secret` nil: no pass is good. `revoked`: serials of tokens whose passes are not taken. `hour`: hours since 1970, UTC, now.
  package init(secret: HubSecret?, revoked: Set<UInt64> = [], hour: @escaping @Sendable () -> UInt32) {
    self.secret = secret
    self.revoked = revoked
    self.hour = hour
  }

  /// Whose pass this is, and of how many groups its token may have rooms open; nil: it is none that is good at this hub.
  func holder(of bytes: [UInt8]?, hub: [UInt8]) -> (group: PassGroup, groups: Int)? {
    guard let bytes, let pass = secret?.verified(pass: bytes, hub: hub), hour() < pass.terms.until,
      !revoked.contains(pass.terms.serial)
    else { return nil }
    let group = pass.group.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return (PassGroup(serial: pass.terms.serial, group: group), Int(pass.terms.rooms))
  }
}
