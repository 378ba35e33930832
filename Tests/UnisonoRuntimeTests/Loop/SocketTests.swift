import Glibc
import Testing
import UnisonoBase

@testable import UnisonoRuntime

/// A connection by the system's own calls, on this thread, made when it is.
private final class PlainConnection {
  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    try #require(status == 0)
  }

  deinit { close(descriptor) }

  func write(_ count: Int) { #expect(Glibc.write(descriptor, [UInt8](repeating: 7, count: count), count) == count) }
}

/// The side of a connection that reads nothing until it is told to.
private final class RestingReader {
  private(set) var got: [UInt8] = []
  /// nil: nobody has connected.
  private(set) var stream: (any ByteStream)?

  func listen(on loop: UVLoop) throws -> any StreamListener {
    try loop.listen(on: "127.0.0.1:0") { stream in
      self.stream = stream
      stream.setReading(false)
      return StreamEvents(received: { self.got += $0 }, closed: { _ in })
    }
  }
}

@Suite("Sockets on the loop", .serialized)
struct SocketTests {
  @Test(
    "a stream carries bytes both ways, tells its peer, and ends once when the other side closes",
    arguments: ["127.0.0.1", "[::1]", "localhost"])
  func stream(host: String) throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var heard: [UInt8] = []
    var answer: [UInt8] = []
    var ends: [NetworkError?] = []
    var accepted: (any ByteStream)?
    let listening = host == "localhost" ? "127.0.0.1" : host
    let listener = try loop.listen(on: "\(listening):0") { stream in
      accepted = stream
      stream.write([1, 2, 3])
      return StreamEvents(received: { heard += $0 }, closed: { _ in })
    }
    var opened = 0
    var drained = 0
    let stream = loop.connect(
      to: "\(host):\(listener.port)",
      StreamEvents(
        opened: { opened += 1 }, received: { answer += $0 }, drained: { drained += 1 }, closed: { ends.append($0) }))
    stream.write([9, 8])
    #expect(stream.queuedBytes == 2)
    #expect(loop.poll { heard == [9, 8] && answer == [1, 2, 3] && drained == 1 })
    #expect((opened, stream.queuedBytes) == (1, 0))
    #expect(stream.peer.port == listener.port)
    #expect(accepted?.peer.host == (host == "[::1]" ? "::1" : "127.0.0.1"))
    accepted?.write([4])
    accepted?.close()
    #expect(loop.poll { ends.count == 1 })
    #expect(ends == [nil])
    #expect(answer == [1, 2, 3, 4])
    stream.write([1])
    stream.close()
    _ = loop.poll(maxWait: 0)
    #expect(ends.count == 1)
  }

  @Test("what one turn writes leaves together at its end, and before a close")
  func together() throws {
    let (sender, receiver) = (try UVLoop.polled(), try UVLoop.polled())
    defer {
      sender.close()
      receiver.close()
    }
    var heard: [[UInt8]] = []
    var accepted: (any ByteStream)?
    let listener = try receiver.listen(on: "127.0.0.1:0") { stream in
      accepted = stream
      return StreamEvents(received: { heard.append($0) }, closed: { _ in })
    }
    var isOpen = false
    let stream = sender.connect(
      to: "127.0.0.1:\(listener.port)",
      StreamEvents(opened: { isOpen = true }, received: { _ in }, closed: { _ in }))
    #expect(sender.poll { isOpen } && receiver.poll { accepted != nil })

    var heardInside: [[UInt8]]?
    sender.defer {
      stream.write([1])
      sender.defer {
        _ = receiver.poll(maxWait: .milliseconds(20))
        heardInside = heard
        stream.write([2, 3])
      }
    }
    #expect(sender.poll { heardInside != nil } && receiver.poll { !heard.isEmpty })
    #expect(heardInside == [] && heard == [[1, 2, 3]] && stream.queuedBytes == 0)

    var isClosed = false
    sender.defer {
      stream.write([4])
      stream.close()
      isClosed = true
    }
    #expect(sender.poll { isClosed } && receiver.poll { heard.count == 2 })
    #expect(heard.last == [4])
  }

  @Test(
    "a connection that cannot be ends with one error, never inside the call",
    arguments: ["127.0.0.1:1", "nonsense", "nowhere.invalid:80", "[::1]:1"])
  func unreachable(address: String) throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var ends: [NetworkError?] = []
    let stream = loop.connect(to: address, StreamEvents(received: { _ in }, closed: { ends.append($0) }))
    stream.write([1])
    #expect(ends.isEmpty)
    #expect(loop.poll { ends.count == 1 })
    let host = address.split(separator: ":").first.map(String.init) ?? address
    #expect(ends.first??.message.contains(host) == true)
  }

  @Test("many who connect at once are accepted a few in a pass, and others are heard in between")
  func crowd() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var streams: [any ByteStream] = []
    var acceptedWhenHeard: Int?
    var perPass: [Int: Int] = [:]
    let listener = try loop.listen(on: "127.0.0.1:0") { stream in
      streams.append(stream)
      perPass[loop.turns, default: 0] += 1
      return StreamEvents(received: { _ in acceptedWhenHeard = streams.count }, closed: { _ in })
    }
    let first = try PlainConnection(port: listener.port)
    #expect(loop.poll { streams.count == 1 })
    let others = try (0..<40).map { _ in try PlainConnection(port: listener.port) }
    first.write(1)
    // The kernel has made all of these connections, and what the first one said is there.
    #expect(loop.poll { streams.count == 1 + others.count })
    #expect(acceptedWhenHeard ?? .max < 20)
    #expect(perPass.values.allSatisfy { $0 <= UVListener.perPass + 1 })
  }

  @Test("a closed listener takes up none of those that it had not accepted yet")
  func crowdAtTheEnd() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var count = 0
    var listener: (any StreamListener)?
    listener = try loop.listen(on: "127.0.0.1:0") { _ in
      count += 1
      if count == UVListener.perPass { listener?.close() }
      return StreamEvents(received: { _ in }, closed: { _ in })
    }
    let port = try #require(listener?.port)
    let others = try (0..<40).map { _ in try PlainConnection(port: port) }
    for _ in 0..<10 { _ = loop.poll(maxWait: .milliseconds(5)) }
    #expect(count == UVListener.perPass)
    withExtendedLifetime(others) {}
  }

  @Test("of what many bytes there are a stream reads 16 KiB at once")
  func pieces() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var pieces: [Int] = []
    let listener = try loop.listen(on: "127.0.0.1:0") { _ in
      StreamEvents(received: { pieces.append($0.count) }, closed: { _ in })
    }
    let other = try PlainConnection(port: listener.port)
    other.write(100_000)
    #expect(loop.poll { pieces.reduce(0, +) == 100_000 })
    #expect(pieces.allSatisfy { $0 <= 16_384 })
  }

  @Test("a stream closed by its owner says nothing more, whatever comes")
  func silent() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var calls = 0
    let stream = loop.connect(
      to: "127.0.0.1:1",
      StreamEvents(opened: { calls += 1 }, received: { _ in calls += 1 }, closed: { _ in calls += 1 }))
    stream.close()
    let named = loop.connect(to: "localhost:1", StreamEvents(received: { _ in }, closed: { _ in calls += 1 }))
    named.close()
    for _ in 0..<5 { _ = loop.poll(maxWait: .milliseconds(5)) }
    #expect(calls == 0)
  }

  @Test("what is sent at once goes behind what the turn wrote, and waits where the kernel does not take it")
  func sentAtOnce() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let reader = RestingReader()
    let listener = try reader.listen(on: loop)
    var (isOpen, drained) = (false, 0)
    let stream = loop.connect(
      to: "127.0.0.1:\(listener.port)",
      StreamEvents(opened: { isOpen = true }, received: { _ in }, drained: { drained += 1 }, closed: { _ in }))
    #expect(loop.poll { isOpen && reader.stream != nil })
    func send(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes(stream.send) }

    #expect(send([1]) == 0 && stream.queuedBytes == 0)
    for _ in 0..<3 { _ = loop.poll(maxWait: .milliseconds(5)) }
    // Nothing waited, so there is nothing to tell.
    #expect(drained == 0)
    var inside = (waiting: -1, queued: -1)
    loop.defer {
      stream.write([2])
      inside = (send([3, 4]), stream.queuedBytes)
    }
    #expect(loop.poll { inside.waiting >= 0 } && inside == (0, 0))

    let large = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let before = drained
    let waiting = send(large)
    #expect(waiting > 0 && waiting < large.count && waiting == stream.queuedBytes)
    #expect(send([5]) == waiting + 1)
    reader.stream?.setReading(true)
    #expect(loop.poll { reader.got.count == 5 + large.count && drained > before })
    #expect(reader.got == [1, 2, 3, 4] + large + [5] && stream.queuedBytes == 0)
    stream.close()
    #expect(send([6]) == 0)
  }

  @Test("a reader that stops makes the writer queue, and reading again drains it: megabytes arrive in order")
  func backPressure() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let reader = RestingReader()
    let listener = try reader.listen(on: loop)
    var drained = 0
    let stream = loop.connect(
      to: "127.0.0.1:\(listener.port)", StreamEvents(received: { _ in }, drained: { drained += 1 }, closed: { _ in }))
    let pattern = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let bytes = Array(repeatElement(pattern, count: 16).joined())
    for start in stride(from: 0, to: bytes.count, by: 4_000_000) {
      stream.write(Array(bytes[start..<start + 4_000_000]))
    }
    #expect(loop.poll { reader.stream != nil })
    for _ in 0..<10 { _ = loop.poll(maxWait: .milliseconds(5)) }
    #expect(reader.got.isEmpty && drained == 0 && stream.queuedBytes > 0)
    reader.stream?.setReading(true)
    #expect(loop.poll { reader.got.count == bytes.count && drained == 1 })
    #expect(reader.got == bytes)
    #expect(stream.queuedBytes == 0)
  }

  @Test("who is turned away reads why, whatever it sent meanwhile and sends after it; only a flood is cut off")
  func lastWord() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let reader = RestingReader()
    let listener = try reader.listen(on: loop)
    var answer: [UInt8] = []
    var ends: [NetworkError?] = []
    var stream: (any ByteStream)?
    stream = loop.connect(
      to: "127.0.0.1:\(listener.port)",
      StreamEvents(
        received: {
          answer += $0
          // An honest one has this under way when it reads the answer.
          stream?.write([UInt8](repeating: 7, count: 20_000))
        }, closed: { ends.append($0) }))
    stream?.write([1, 2, 3])
    #expect(loop.poll { reader.stream != nil })
    reader.stream?.write([4, 5])
    reader.stream?.close()
    // Its owner may say so twice.
    reader.stream?.close()
    #expect(loop.poll { ends.count == 1 })
    #expect(ends == [nil] && answer == [4, 5] && reader.got.isEmpty)

    let flooded = RestingReader()
    let other = try flooded.listen(on: loop)
    var isCutOff = false
    let flood = loop.connect(
      to: "127.0.0.1:\(other.port)", StreamEvents(received: { _ in }, closed: { isCutOff = $0 != nil }))
    // It does not see that it was closed, and goes on.
    flood.setReading(false)
    flood.write([UInt8](repeating: 7, count: 64 * LingeringClose.byteLimit))
    #expect(loop.poll { flooded.stream != nil })
    flooded.stream?.close()
    #expect(loop.poll { isCutOff })
  }

  @Test("who never ends its side of a closed connection is waited for no longer than the time for that")
  func waitsForNobody() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let reader = RestingReader()
    let listener = try reader.listen(on: loop)
    var isCutOff = false
    let stream = loop.connect(
      to: "127.0.0.1:\(listener.port)", StreamEvents(received: { _ in }, closed: { isCutOff = $0 != nil }))
    stream.setReading(false)
    #expect(loop.poll { reader.stream != nil })
    let closed = loop.now
    reader.stream?.close()
    // Calls are made in turns, as everything on a loop is.
    let timer = loop.makeTimer { stream.write([7]) }
    while !isCutOff, loop.now - closed < 10 * LingeringClose.time {
      timer.arm(at: loop.now)
      _ = loop.poll(maxWait: .milliseconds(50))
    }
    #expect(isCutOff && loop.now - closed >= LingeringClose.time)
  }

  @Test("writing to a peer that is gone is an error to its owner and no signal to the process")
  func brokenPipe() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var ends: [NetworkError?] = []
    var writer: (any ByteStream)?
    // Not reading, so that only a write can find out.
    let listener = try loop.listen(on: "127.0.0.1:0") { stream in
      writer = stream
      stream.setReading(false)
      return StreamEvents(received: { _ in }, closed: { ends.append($0) })
    }
    let client = loop.connect(to: "127.0.0.1:\(listener.port)", StreamEvents(received: { _ in }, closed: { _ in }))
    #expect(loop.poll { writer != nil })
    client.close()
    // In turns, here as well.
    let timer = loop.makeTimer { writer?.write([1, 2, 3]) }
    let limit = loop.now + .seconds(20)
    while ends.isEmpty, loop.now < limit {
      timer.arm(at: loop.now)
      _ = loop.poll(maxWait: .milliseconds(10))
    }
    #expect(ends.count == 1)
    #expect(ends.first??.message.contains("broke") == true)
  }

  @Test("an address in use is an error that names it; so is one that is not of this machine, or no address")
  func addressInUse() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let none = { (_: any ByteStream) in StreamEvents(received: { _ in }, closed: { _ in }) }
    let listener = try loop.listen(on: "127.0.0.1:0", accepted: none)
    let taken = "127.0.0.1:\(listener.port)"
    let error = #expect(throws: NetworkError.self) { try loop.listen(on: taken, accepted: none) }
    #expect(error?.message == "cannot listen on \(taken): address already in use")
    for address in ["192.0.2.1:0", "example.org:0", "127.0.0.1"] {
      let error = #expect(throws: NetworkError.self) { try loop.listen(on: address, accepted: none) }
      #expect(error?.message.contains(address) == true)
    }
    listener.close()
    _ = loop.poll(maxWait: 0)
    let again = try loop.listen(on: taken, accepted: none)
    #expect(again.port == listener.port)
  }

  @Test("a listener reserved on another thread is taken over, and what connected before is accepted")
  func reservation() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let reserved = Record<String>()
    let thread = try LoopThread.start(name: "test") {
      if let address = try? loop.reserveListener(on: "127.0.0.1:0") { reserved.add(address) }
    }
    pthread_join(thread, nil)
    let address = try #require(reserved.all.first)
    #expect(throws: NetworkError.self) { try loop.reserveListener(on: address) }
    var got: [UInt8] = []
    let client = loop.connect(to: address, StreamEvents(received: { _ in }, closed: { _ in }))
    client.write([5])
    _ = loop.poll(maxWait: .milliseconds(5))
    _ = try loop.listen(on: address) { _ in StreamEvents(received: { got += $0 }, closed: { _ in }) }
    #expect(loop.poll { got == [5] })
  }

  @Test("datagrams come with their sender and the time at which they came", arguments: ["127.0.0.1", "[::1]", "[::]"])
  func datagrams(host: String) throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var got: [(bytes: [UInt8], from: PeerAddress, at: HostTime)] = []
    let receiver = try loop.openDatagrams(on: "\(host):0") { got.append(($0, $1, $2)) }
    let isIPv4 = host != "[::1]"
    let sender = try loop.openDatagrams(on: isIPv4 ? "127.0.0.1:0" : "[::1]:0") { got.append(($0, $1, $2)) }
    let home = isIPv4 ? "127.0.0.1" : "::1"
    let start = loop.now
    sender.send([1, 2], to: PeerAddress(host: home, port: receiver.port))
    #expect(loop.poll { got.count == 1 })
    #expect(got[0].bytes == [1, 2])
    #expect(got[0].from == PeerAddress(host: home, port: sender.port))
    #expect(got[0].at >= start && got[0].at <= loop.now)
    // And back to where it came from, also out of a socket that speaks both.
    receiver.send([3], to: got[0].from)
    #expect(loop.poll { got.count == 2 })
    #expect(got[1].bytes == [3])
    receiver.send([4], to: PeerAddress(host: "not an address", port: 1))
    sender.close()
    sender.send([5], to: PeerAddress(host: home, port: receiver.port))
    _ = loop.poll(maxWait: .milliseconds(5))
    #expect(got.count == 2)
  }

  @Test("the machine's addresses end with loopback")
  func addresses() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let addresses = loop.localAddresses()
    #expect(addresses.contains("127.0.0.1"))
    #expect(addresses.last == "127.0.0.1" || addresses.last == "::1")
    #expect(!addresses.contains { $0.hasPrefix("fe80") })
  }

  @Test("random bytes are as many as asked for, and differ")
  func random() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    #expect(loop.randomBytes(32).count == 32)
    #expect(loop.randomBytes(0).isEmpty)
    #expect(loop.randomBytes(32) != loop.randomBytes(32))
  }

  @Test("closing the loop lets go of everything that streams, listeners and ports were given")
  func lettingGo() throws {
    final class Witness {}
    weak var seen: Witness?
    do {
      let witness = Witness()
      seen = witness
      let loop = try UVLoop.polled()
      var accepted: (any ByteStream)?
      let listener = try loop.listen(on: "127.0.0.1:0") { stream in
        accepted = stream
        // Holds its own stream, as careless owners do.
        return StreamEvents(received: { _ in withExtendedLifetime((stream, witness)) {} }, closed: { _ in })
      }
      _ = try loop.openDatagrams(on: "127.0.0.1:0") { _, _, _ in withExtendedLifetime(witness) {} }
      let stream = loop.connect(
        to: "127.0.0.1:\(listener.port)",
        StreamEvents(received: { _ in withExtendedLifetime(witness) {} }, closed: { _ in }))
      loop.makeTimer { withExtendedLifetime(witness) {} }.arm(at: loop.now + .seconds(3_600))
      loop.onEndOfTurn { withExtendedLifetime(witness) {} }
      #expect(loop.poll { accepted != nil })
      loop.close()
      accepted = nil
      stream.write([1])
    }
    #expect(seen == nil)
  }
}
