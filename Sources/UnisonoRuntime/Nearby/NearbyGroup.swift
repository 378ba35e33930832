extension MulticastGroup {
  /// Group in which devices call out for each other (wire 7.4).
  package static let nearby = MulticastGroup(ipv4: "239.255.71.40", ipv6: "ff02::7140", port: 7140)
}
