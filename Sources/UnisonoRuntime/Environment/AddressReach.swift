import CUV
import Glibc

/// From where an address can be reached, as far as its spelling says: nothing is looked up or tried.
package enum AddressReach: Int32, Comparable, Sendable {
  /// This machine alone.
  case machine = 0
  /// A private network: at home, at work, behind one router, in a VPN.
  case network = 1
  /// A public address, or a name that is not of a local network. What stands in between may still refuse.
  case anywhere = 2

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  /// Of "host:port"; what is no address is `machine`.
  package init(of address: String) {
    guard let host = try? HostAndPort(parsing: address).host else {
      self = .machine
      return
    }
    if let four = Self.bytes(of: host, AF_INET, 4) {
      self.init(four: four)
    } else if let sixteen = Self.bytes(of: String(host.prefix { $0 != "%" }), AF_INET6, 16) {
      self.init(sixteen: sixteen)
    } else {
      self.init(name: host.lowercased())
    }
  }

  private static func bytes(of host: String, _ family: Int32, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return uv_inet_pton(family, host, &bytes) == 0 ? bytes : nil
  }

  /// RFC 1122, 1918, 3927 and 6598.
  private init(four: [UInt8]) {
    switch (four[0], four[1]) {
    case (127, _), (0, _): self = .machine
    case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): self = .network
    default: self = .anywhere
    }
  }

  /// RFC 4193 and 4291.
  private init(sixteen: [UInt8]) {
    let isLow = sixteen[..<10].allSatisfy { $0 == 0 }
    if isLow, sixteen[10] == 0xff, sixteen[11] == 0xff {
      self.init(four: Array(sixteen[12...]))
    } else if isLow, sixteen[10..<15].allSatisfy({ $0 == 0 }), sixteen[15] < 2 {
      self = .machine
    } else {
      self = sixteen[0] & 0xfe == 0xfc || (sixteen[0] == 0xfe && sixteen[1] & 0xc0 == 0x80) ? .network : .anywhere
    }
  }

  /// RFC 6761, 6762 and 8375, ICANN's `internal`, and names without a dot, which only a local network knows.
  private init(name: String) {
    let name = name.hasSuffix(".") ? String(name.dropLast()) : name
    if name == "localhost" || name.hasSuffix(".localhost") {
      self = .machine
    } else {
      let local = [".local", ".lan", ".home.arpa", ".internal"]
      self = !name.contains(".") || local.contains(where: name.hasSuffix) ? .network : .anywhere
    }
  }
}
