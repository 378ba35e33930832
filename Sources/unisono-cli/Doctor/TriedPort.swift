import UnisonoRuntime
import UnisonoWire

/// A port of this machine that a hub is asked to try: it takes one connection, says nothing, and looks whether the datagram comes, too.
final class TriedPort {
  /// Names this trial.
  let number: UInt64
  private var listener: (any StreamListener)?
  private var datagrams: (any DatagramPort)?
  private(set) var hasStreamCome = false
  private(set) var hasDatagramCome = false

  /// `port` 0: a free one.
  init(_ port: UInt16, on loop: UVLoop) throws(NetworkError) {
    number = loop.randomNumber()
    do throws(NetworkError) {
      try listen("::", port, on: loop)
    } catch {
      try listen("0.0.0.0", port, on: loop)
    }
  }

  private func listen(_ host: String, _ port: UInt16, on loop: UVLoop) throws(NetworkError) {
    let listener = try loop.listen(on: PeerAddress(host: host, port: port).description) { [weak self] stream in
      self?.hasStreamCome = true
      // Closed by who made it.
      return StreamEvents(received: { _ in stream.close() }, closed: { _ in })
    }
    self.listener = listener
    let expected = TryBackFrame.datagram(number: number)
    datagrams = try? loop.openDatagrams(on: PeerAddress(host: host, port: listener.port).description) { [weak self] bytes, _, _ in
      if bytes == expected { self?.hasDatagramCome = true }
    }
  }

  var port: UInt16 { listener?.port ?? 0 }
  var takesDatagrams: Bool { datagrams != nil }

  func close() {
    listener?.close()
    datagrams?.close()
  }
}
