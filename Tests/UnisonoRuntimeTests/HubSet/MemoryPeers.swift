import UnisonoBase

@testable import UnisonoRuntime

/// A service in memory that hands what hubs publish to each other, a millisecond later, and can be cut.
final class MemoryService {
  fileprivate var members: [MemoryPeers] = []
  /// Whether what one machine publishes reaches another, by the order of `peers`.
  var isCut: (_ from: Int, _ to: Int) -> Bool = { _, _ in false }

  /// The way of a hub on `machine`.
  func peers(on machine: VirtualEnvironment) -> MemoryPeers {
    let peers = MemoryPeers(self, machine, index: members.count)
    members.append(peers)
    return peers
  }

  fileprivate func publish(_ bytes: [UInt8], on subject: String, from sender: MemoryPeers) {
    for other in members where other !== sender && !isCut(sender.index, other.index) {
      // In a turn of its machine, which may be asleep.
      other.machine.submit { [unowned other] in other.arrive(bytes, subject) }
    }
  }
}

final class MemoryPeers: HubPeers {
  private static let delay = Nanoseconds.milliseconds(1)

  let index: Int
  private unowned let service: MemoryService
  fileprivate let machine: VirtualEnvironment
  private var events: HubPeersEvents?
  private var subjects: Set<String> = []
  private var waiting: [(bytes: [UInt8], subject: String, at: HostTime)] = []
  private var timer: (any LoopTimer)?
  private var isConnected = false
  private(set) var published = 0

  fileprivate init(_ service: MemoryService, _ machine: VirtualEnvironment, index: Int) {
    self.service = service
    self.machine = machine
    self.index = index
  }

  func open(_ events: HubPeersEvents) {
    self.events = events
    timer = machine.makeTimer { [unowned self] in work() }
    timer?.arm(at: machine.now.adding(Self.delay))
  }

  func publish(_ bytes: [UInt8], on subject: String) {
    guard isConnected else { return }
    published += 1
    service.publish(bytes, on: subject, from: self)
  }

  func subscribe(_ subject: String) { subjects.insert(subject) }
  func unsubscribe(_ subject: String) { subjects.remove(subject) }
  func flush() {}
  func reconnect() {}

  func close() {
    isConnected = false
    events = nil
    timer?.close()
  }

  fileprivate func arrive(_ bytes: [UInt8], _ subject: String) {
    guard isConnected, subjects.contains(subject) else { return }
    waiting.append((bytes, subject, machine.now.adding(Self.delay)))
    if waiting.count == 1 { timer?.arm(at: waiting[0].at) }
  }

  private func work() {
    if !isConnected {
      isConnected = true
      events?.connected()
    }
    while let first = waiting.first, first.at <= machine.now {
      waiting.removeFirst()
      events?.received(first.bytes, first.subject, machine.now)
    }
    if let first = waiting.first { timer?.arm(at: first.at) }
  }
}
