import Testing
import UnisonoKit

@Suite("UnisonoKit: devices nearby", .timeLimit(.minutes(2))) struct NearbyTests {
  @Test("F79: who asks to join gets the invite when both people have compared the same digits") func joins() async throws {
    let ann = try Member("Ann")
    try await ann.join()
    let ben = try Devices(with: ann.session)
    let asks = ben.advertiser.events
    let asked = Task {
      let request = try await asks.request()
      try request.accept()
      return request
    }
    let invite = try await ben.browser.connect(to: ben.device) { digits in (try? await asked.value.digits) == digits }
    #expect(try invite == ann.session.invite)
    let request = try await asked.value
    #expect(request.intent == .join && request.deviceName == "phone" && request.digits.count == 6)
    let again = #expect(throws: UnisonoError.self) { try request.accept() }
    #expect(again?.status == .closed, "once")
    let member = try Member("Ben", invite: invite)
    try await member.join()
    _ = try await ann.sees("Ben")
    await ben.close()
    await member.close()
    await ann.close()
  }

  @Test("F79: a device that has no session is asked into one, and gets its invite") func invites() async throws {
    let ann = try Member("Ann")
    try await ann.join()
    let devices = try Devices(of: ann.context)
    let asks = devices.advertiser.events
    let asked = Task {
      let request = try await asks.request()
      try request.accept()
      return request
    }
    try await devices.browser.invite(devices.device, to: ann.session) { digits in (try? await asked.value.digits) == digits }
    let request = try await asked.value
    #expect(request.intent == .invite)
    let got = try await asks.first { if case .invite = $0 { true } else { false } }
    if case .invite(let invite, let of) = got { #expect(try of == request && invite == ann.session.invite) }
    await devices.close()
    await ann.close()
  }

  @Test("F79: digits that differ end the ask, on both sides") func differ() async throws {
    let devices = try Devices(with: nil)
    let context = devices.context
    let session = try Session.host(on: context, loopback)
    let asks = devices.advertiser.events
    let error = await #expect(throws: UnisonoError.self) {
      try await devices.browser.invite(devices.device, to: session) { _ in false }
    }
    #expect(error?.status == .canceled)
    let request = try await asks.request()
    _ = try await asks.first { if case .joinWithdrawn(request) = $0 { true } else { false } }
    let late = #expect(throws: UnisonoError.self) { try request.deny() }
    #expect(late?.status == .closed)
    await devices.close()
  }

  @Test("F79: a task that is cancelled withdraws what it asks, and the device can be asked again") func cancelled() async throws {
    let ann = try Member("Ann")
    try await ann.join()
    let devices = try Devices(with: ann.session)
    let asks = devices.advertiser.events
    let (browser, device) = (devices.browser, devices.device)
    let asking = Task { try await browser.connect(to: device) { _ in true } }
    let first = try await asks.request()
    let busy = await #expect(throws: UnisonoError.self) { try await browser.connect(to: device) { _ in true } }
    #expect(busy?.status == .busy)
    asking.cancel()
    let error = await #expect(throws: UnisonoError.self) { try await asking.value }
    #expect(error?.status == .canceled)
    let unknown = await #expect(throws: UnisonoError.self) { try await browser.connect(to: device + 1000) { _ in true } }
    #expect(unknown?.status == .notFound)
    let accepting = Task {
      var (isWithdrawn, isAccepted) = (false, false)
      for await event in asks {
        if case .joinWithdrawn(first) = event { isWithdrawn = true }
        if case .joinRequested(let second) = event {
          try second.accept()
          isAccepted = true
        }
        if isWithdrawn && isAccepted { return }
      }
    }
    #expect(try await browser.connect(to: device) { _ in true } == ann.session.invite, "at once, and not answered for the first")
    try await accepting.value
    await devices.close()
    await ann.close()
  }

  @Test("F79: a service that is not declared right, and an address that is none, are refused") func wrong() async throws {
    let context = try Context()
    func status(_ body: () throws -> Void) -> UnisonoError.Status? {
      #expect(throws: UnisonoError.self, performing: body)?.status
    }
    #expect(status { _ = try NearbyAdvertiser(on: context, .init("", usageDescription: "x")) } == .invalidArgument)
    #expect(status { _ = try NearbyBrowser(on: context, .init("UPPER", usageDescription: "x")) } == .invalidArgument)
    let browser = try NearbyBrowser(on: context, .init("org.example.a", usageDescription: "x"))
    #expect(status { try browser.add(address: "nowhere") } == .invalidArgument)
    #expect(status { try browser.add(address: "a\0b") } == .invalidArgument)
    await context.close()
    for await _ in browser.events { Issue.record("nothing happens any more") }
    #expect(status { try browser.add(address: "127.0.0.1:1") } == .closed)
  }
}

private var loopback: Session.Options {
  var options = Session.Options()
  options.hubOptions.listen = ["127.0.0.1:0"]
  return options
}

/// A television that can be asked, and a telephone that was told its address.
private struct Devices {
  /// The telephone's.
  let context: Context
  let advertiser: NearbyAdvertiser
  let browser: NearbyBrowser
  let device: NearbyDevice.ID
  private let own: [Context]

  /// session: the television's. phone: nil: a context of its own.
  init(with session: Session? = nil, of phone: Context? = nil) throws {
    // Two runs of these tests at a time do not meet.
    var service = NearbyService("org.example.kit-\(HostTime.now.nanoseconds)", usageDescription: "Films")
    service.deviceName = "tv"
    let television = try session?.context ?? Context()
    context = try phone ?? Context()
    own = (session == nil ? [television] : []) + (phone == nil ? [context] : [])
    advertiser = try NearbyAdvertiser(on: television, service, session: session)
    service.deviceName = "phone"
    browser = try NearbyBrowser(on: context, service)
    let port = try #require(try advertiser.addresses.first?.split(separator: ":").last)
    device = try browser.add(address: "127.0.0.1:\(port)")
    #expect(try browser.add(address: "127.0.0.1:\(port)") == device)
  }

  func close() async {
    for context in own { await context.close() }
  }
}

extension Events<AdvertiserEvent> {
  /// The next ask.
  fileprivate func request() async throws -> JoinRequest {
    for await case .joinRequested(let request) in self { return request }
    throw StreamEnded()
  }
}
