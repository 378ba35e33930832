import UnisonoBase

/// One request for a file of a hub's site, until it is answered: the file is looked for, its head is sent, and then it piece by piece.
///
/// A piece is read when the one before has left for the kernel, so that what a slow reader does not take is not read either: a visit holds
/// one piece at most. Phases: from `begin` to `ended`, which is called once, or to `close`.
final class SiteVisit {
  private let environment: any Environment
  private let stream: HubStream
  private let request: SiteRequest
  private var file: DiskFile?
  /// What is still to be read.
  private var rest: Range<UInt64> = 0..<0
  private var isReading = true
  private var isOver = false
  private var timer: (any LoopTimer)?
  private var ended: (_ visit: SiteVisit) -> Void = { _ in }

  init(_ request: SiteRequest, on stream: HubStream, environment: any Environment, ended: @escaping (_ visit: SiteVisit) -> Void) {
    self.environment = environment
    self.stream = stream
    self.request = request
    self.ended = ended
    timer = environment.makeTimer { [weak self] in self?.end() }
  }

  /// Begins; returns what it has to hear of its stream.
  func begin(in site: HubSite) -> StreamEvents {
    arm()
    let place = request.place
    performElsewhere(in: environment, { SiteFile(place, in: site) }, done: { [weak self] in self?.answer($0) })
    // Nothing more is expected to come.
    return StreamEvents(
      received: { _ in }, drained: { [weak self] in self?.drained() }, closed: { [weak self] _ in self?.end() })
  }

  /// Without a word.
  func close() {
    guard !isOver else { return }
    isOver = true
    timer?.close()
    stream.close()
    // Closing, too, may wait for a disk.
    if let file { environment.perform({ withExtendedLifetime(file) {} }, then: {}) }
    file = nil
  }

  private func answer(_ found: SiteFile?) {
    guard !isOver else { return }
    let reply = SiteReply(to: request, state: found?.state)
    (file, rest) = (found?.file, reply.span)
    isReading = false
    stream.write(reply.head)
    if !rest.isEmpty { read() }
  }

  /// All that was written has left.
  private func drained() {
    guard !isOver, !isReading else { return }
    if rest.isEmpty { end() } else { read() }
  }

  private func read() {
    guard let file else { return end() }
    isReading = true
    let (start, count) = (rest.lowerBound, Int(min(UInt64(HubLimits.visitBytes), rest.upperBound - rest.lowerBound)))
    performElsewhere(in: environment, { (try? file.read(count, at: start)) ?? [] }, done: { [weak self] in self?.send($0, of: count) })
  }

  private func send(_ bytes: [UInt8], of count: Int) {
    guard !isOver else { return }
    // It became shorter, or cannot be read: the client sees that it has not got what was said.
    guard bytes.count == count else { return end() }
    isReading = false
    rest = rest.lowerBound + UInt64(count)..<rest.upperBound
    arm()
    stream.write(bytes)
  }

  private func arm() { timer?.arm(at: environment.now.adding(HubLimits.visitPatience)) }

  private func end() {
    guard !isOver else { return }
    close()
    ended(self)
  }
}
