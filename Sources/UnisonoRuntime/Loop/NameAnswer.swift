/// Carries the answer of a name resolution back to its stream: it holds the stream on the resolver's thread, and touches it
/// only on the loop.
final class NameAnswer: @unchecked Sendable {
  private var stream: UVStream?
  private let loop: UVLoop

  init(stream: UVStream, loop: UVLoop) {
    self.stream = stream
    self.loop = loop
  }

  func arrived(_ answer: Result<[SocketAddress], NetworkError>) {
    loop.submit { [self] in
      stream?.resolved(answer)
      stream = nil
    }
  }
}
