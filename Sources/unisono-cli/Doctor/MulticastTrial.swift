/// What came of calling out on every link: whether the own call came back, and who else was heard.
struct MulticastTrial {
  /// An interface's address that took the call.
  struct Link: Hashable {
    var interface: String
    var address: String
    var isLoopback: Bool
  }

  var links: [Link]
  /// Why there is no link to other machines; nil: there are some.
  var problem: String?
  /// Links on which the own call was heard.
  var returned: Set<Link>
  /// Addresses of other machines that were heard.
  var others: Set<String>

  /// As `MulticastReach` names one: "eth0#2/10.0.0.5".
  static func link(named name: String) -> Link? {
    guard let slash = name.firstIndex(of: "/"), let number = name[..<slash].lastIndex(of: "#") else { return nil }
    let address = String(name[name.index(after: slash)...])
    return Link(
      interface: String(name[..<number]), address: address, isLoopback: address == "::1" || address.hasPrefix("127."))
  }

  var finding: Finding {
    let outward = links.filter { !$0.isLoopback }.sorted { ($0.interface, $0.address) < ($1.interface, $1.address) }
    let silent = outward.filter { !returned.contains($0) }
    let figures = [
      Finding.Figure(name: "links", value: JSONText.list(outward.map { JSONText.quoted(Self.name($0)) })),
      .init(name: "silent", value: JSONText.list(silent.map { JSONText.quoted(Self.name($0)) })),
      .init(name: "others", value: JSONText.list(others.sorted().map(JSONText.quoted))),
    ]
    guard !outward.isEmpty else {
      return Finding(
        subject: .multicast, verdict: .bad, fact: "there is no way to other devices: \(problem ?? "no network")",
        advice: "connect this machine to a network; a VPN without multicast does not do. Invites work without it",
        figures: figures)
    }
    let heard = others.isEmpty ? nil : "other devices of Unisono were heard: \(others.sorted().joined(separator: ", "))"
    guard silent.isEmpty else {
      let names = silent.map(Self.name).joined(separator: ", ")
      return Finding(
        subject: .multicast, verdict: silent.count == outward.count && others.isEmpty ? .bad : .doubtful,
        fact: "the own call did not come back on \(names)" + (heard.map { "; \($0)" } ?? ""),
        advice:
          "let UDP port 7140 to 239.255.71.40 and ff02::7140 out and in in this machine's firewall. Invites work without it",
        figures: figures)
    }
    let names = outward.map(Self.name).joined(separator: ", ")
    guard let heard else {
      return Finding(
        subject: .multicast, verdict: .unknown,
        fact:
          "this machine calls and hears itself on \(names); nobody else was heard, so whether the network carries it is not known",
        advice: "run `unisono doctor` on another device of the same network at the same time", figures: figures)
    }
    return Finding(subject: .multicast, verdict: .good, fact: "\(heard), from \(names)", figures: figures)
  }

  private static func name(_ link: Link) -> String { "\(link.interface) (\(link.address))" }
}
