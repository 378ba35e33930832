import UnisonoWire

/// The code that binds a clock probe to the connection it belongs to (wire 3.4).
///
/// It covers the probe's first 48 bytes; without it somebody on the path could invent times, with it only delay.
package struct ProbeMAC: Equatable, Sendable {
  private let key: Secret

  /// `key` is what both sides of a handshake derived.
  package init(key: Secret) { self.key = key }

  /// The probe with its code.
  package func signed(_ probe: ProbePacket) -> ProbePacket {
    var signed = probe
    signed.mac = code(probe)
    return signed
  }

  /// Whether the probe carries its code.
  package func verifies(_ probe: ProbePacket) -> Bool { ConstantTime.areEqual(code(probe), probe.mac) }

  private func code(_ probe: ProbePacket) -> [UInt8] {
    Array(key.code(of: probe.authenticated).bytes.prefix(16))
  }
}
