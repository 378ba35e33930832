import UnisonoNearby

/// The links that calls go out on, and what to say when there are none: shared by both sides.
///
/// Interfaces come and go; whoever owns it looks about once a second.
struct NearbyReach {
  private let port: any MulticastPort
  private var links: Set<String> = []
  private var problem: String?

  init(port: any MulticastPort) { self.port = port }

  /// Result of `refresh`.
  struct Finding {
    /// Links that were not there before.
    var new: Set<String>
    /// nil: the same as before. A sentence: no other device can be reached now; "": some can again.
    var change: String?
  }

  mutating func refresh() -> Finding {
    let reach = port.refresh()
    let finding = Finding(
      new: reach.links.subtracting(links), change: reach.problem == problem ? nil : reach.problem ?? "")
    links = reach.links
    problem = reach.problem
    return finding
  }

  /// On all links.
  func send(_ beacon: Beacon) { port.send(beacon.bytes, on: links) }

  func send(_ beacon: Beacon, on links: Set<String>) {
    if !links.isEmpty { port.send(beacon.bytes, on: links) }
  }

  func close() { port.close() }
}
