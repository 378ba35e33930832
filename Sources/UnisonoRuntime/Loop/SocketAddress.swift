import CUV
import Glibc

/// A numeric address in the shape the kernel takes.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private(set) var isIPv6 = false

  /// nil: `host` is not numeric. `mapped`: IPv4 in IPv6's clothes, for sockets that speak both.
  init?(host: String, port: UInt16, mapped: Bool = false) {
    let isOK = withUnsafeMutableBytes(of: &storage) { raw -> Bool in
      guard let base = raw.baseAddress else { return false }
      if !mapped, uv_ip4_addr(host, Int32(port), base.assumingMemoryBound(to: sockaddr_in.self)) == 0 { return true }
      let text = mapped && !host.contains(":") ? "::ffff:" + host : host
      return uv_ip6_addr(text, Int32(port), base.assumingMemoryBound(to: sockaddr_in6.self)) == 0
    }
    if !isOK { return nil }
    isIPv6 = family == AF_INET6
  }

  /// A copy of the kernel's; nil for families other than IPv4 and IPv6.
  init?(_ address: UnsafePointer<sockaddr>?, port: UInt16? = nil) {
    guard let address else { return nil }
    let size: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size)) }
    isIPv6 = family == AF_INET6
    if let port { set(port: port) }
  }

  var family: Int32 { Int32(storage.ss_family) }
  var length: socklen_t {
    socklen_t(isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafePointer(to: storage) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
  }

  /// In words; IPv4 in IPv6's clothes is shown as what it is.
  var peer: PeerAddress {
    var text = [CChar](repeating: 0, count: 64)
    let port: UInt16 = withUnsafeBytes(of: storage) { raw in
      if isIPv6 {
        let address = raw.load(as: sockaddr_in6.self)
        withUnsafePointer(to: address) { _ = uv_ip6_name($0, &text, text.count) }
        return UInt16(bigEndian: address.sin6_port)
      }
      let address = raw.load(as: sockaddr_in.self)
      withUnsafePointer(to: address) { _ = uv_ip4_name($0, &text, text.count) }
      return UInt16(bigEndian: address.sin_port)
    }
    let host = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let isMapped = host.hasPrefix("::ffff:") && host.contains(".")
    return PeerAddress(host: isMapped ? String(host.dropFirst(7)) : host, port: port)
  }

  /// The same, a link-local address with its interface, so that it can be connected to: "fe80::1%eth0".
  var scopedPeer: PeerAddress {
    var peer = peer
    guard isIPv6, peer.host.hasPrefix("fe80:") else { return peer }
    let index = withUnsafeBytes(of: storage) { $0.load(as: sockaddr_in6.self).sin6_scope_id }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE) + 1)
    if index != 0, if_indextoname(index, &name) != nil {
      peer.host += "%" + name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
    return peer
  }

  private mutating func set(port: UInt16) {
    let isIPv6 = isIPv6
    withUnsafeMutableBytes(of: &storage) { raw in
      guard let base = raw.baseAddress else { return }
      if isIPv6 {
        base.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_port = port.bigEndian
      } else {
        base.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port = port.bigEndian
      }
    }
  }
}

extension PeerAddress {
  /// Whether a host's text is a numeric address, and no name.
  package static func isNumeric(_ host: String) -> Bool { SocketAddress(host: host, port: 0) != nil }
}
