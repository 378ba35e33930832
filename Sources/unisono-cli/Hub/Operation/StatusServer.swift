import UnisonoBase
import UnisonoRuntime

/// The port of whoever runs a hub: /metrics, /healthz and /readyz over HTTP, to few connections at a time, one request each.
///
/// On the loop's thread. It is no part of what participants reach, and has nothing that is secret; who may reach it is up to the
/// address that it listens on.
final class StatusServer {
  static let most = 16
  /// As many again are heard and told that there are too many: closing what was not read would take the answer away with it.
  private static let mostHeard = 2 * most
  /// A connection ends after this, whether it asked by then or not.
  static let patience = Nanoseconds.seconds(5)

  private final class Visit {
    let stream: any ByteStream
    let deadline: HostTime
    var reader = HTTPRequestReader()
    /// One too many.
    let isExcess: Bool
    /// The answer is on its way.
    var isAnswered = false

    init(_ stream: any ByteStream, deadline: HostTime, isExcess: Bool) {
      self.stream = stream
      self.deadline = deadline
      self.isExcess = isExcess
    }
  }

  private let environment: any Environment
  private let answer: (_ path: String) -> HTTPResponse
  private var listener: (any StreamListener)?
  private var visits: [ObjectIdentifier: Visit] = [:]
  private var timer: (any LoopTimer)?

  /// Binds at once. `answer` is asked for each GET or HEAD.
  init(
    on address: String, environment: any Environment, answer: @escaping (_ path: String) -> HTTPResponse
  ) throws(NetworkError) {
    self.environment = environment
    self.answer = answer
    timer = environment.makeTimer { [weak self] in self?.expire() }
    listener = try environment.listen(on: address) { [weak self] stream in
      self?.accept(stream) ?? StreamEvents(received: { _ in }, closed: { _ in })
    }
  }

  var port: UInt16 { listener?.port ?? 0 }

  func close() {
    listener?.close()
    timer?.close()
    for visit in visits.values { visit.stream.close() }
    visits = [:]
  }

  private func accept(_ stream: any ByteStream) -> StreamEvents {
    guard visits.count < Self.mostHeard else {
      stream.close()
      return StreamEvents(received: { _ in }, closed: { _ in })
    }
    let visit = Visit(
      stream, deadline: environment.now.adding(Self.patience), isExcess: visits.count >= Self.most)
    visits[ObjectIdentifier(visit)] = visit
    arm()
    return StreamEvents(
      received: { [weak self, weak visit] bytes in if let visit { self?.received(bytes, from: visit) } },
      drained: { [weak self, weak visit] in if let visit, visit.isAnswered { self?.end(visit) } },
      closed: { [weak self, weak visit] _ in if let visit { self?.end(visit) } })
  }

  private func received(_ bytes: [UInt8], from visit: Visit) {
    guard !visit.isAnswered else { return }
    switch visit.reader.take(bytes) {
    case .incomplete: return
    case .refused(let status): reply(HTTPResponse(status), to: visit)
    case .request where visit.isExcess: reply(HTTPResponse(503, "too many connections\n"), to: visit)
    case .request(let request):
      guard request.method == "GET" || request.method == "HEAD" else { return reply(HTTPResponse(405), to: visit) }
      reply(answer(request.path), to: visit, withBody: request.method == "GET")
    }
  }

  private func reply(_ response: HTTPResponse, to visit: Visit, withBody: Bool = true) {
    visit.isAnswered = true
    visit.stream.write(response.bytes(withBody: withBody))
    // Else it ends when the answer has left, or when its time is over.
    if visit.stream.queuedBytes == 0 { end(visit) }
  }

  private func end(_ visit: Visit) {
    guard visits.removeValue(forKey: ObjectIdentifier(visit)) != nil else { return }
    visit.stream.close()
  }

  private func expire() {
    let now = environment.now
    for visit in Array(visits.values) where visit.deadline <= now {
      if !visit.isAnswered { visit.stream.write(HTTPResponse(408).bytes()) }
      end(visit)
    }
    arm()
  }

  private func arm() { timer?.arm(at: visits.values.map(\.deadline).min()) }
}
