import CUnisono

/// What an application is for devices that find each other on a local network: an `applicationService` of DeviceDiscoveryUI.
/// Everybody on the network can see it.
public struct NearbyService: Hashable, Sendable {
  public struct Platforms: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let other = Platforms(rawValue: UNISONO_PLATFORM_OTHER)
    public static let linux = Platforms(rawValue: UNISONO_PLATFORM_LINUX)
    public static let macOS = Platforms(rawValue: UNISONO_PLATFORM_MACOS)
    public static let windows = Platforms(rawValue: UNISONO_PLATFORM_WINDOWS)
    public static let android = Platforms(rawValue: UNISONO_PLATFORM_ANDROID)
    public static let iOS = Platforms(rawValue: UNISONO_PLATFORM_IOS)
    public static let tv = Platforms(rawValue: UNISONO_PLATFORM_TV)
    public static let web = Platforms(rawValue: UNISONO_PLATFORM_WEB)
  }

  /// 1...63 bytes of a-z 0-9 - . ; both devices say the same.
  public var identifier: String
  /// 1...255 bytes, for people.
  public var usageDescription: String
  /// Those it supports; empty: any.
  public var platforms: Platforms = []
  /// This device's; empty: found out.
  public var platform: Platforms = []
  /// At most 63 bytes; nil: the context's. One that its owner does not mind being read.
  public var deviceName: String?

  public init(_ identifier: String, usageDescription: String) {
    (self.identifier, self.usageDescription) = (identifier, usageDescription)
  }

  func c(_ lent: Lent) throws(UnisonoError) -> unisono_service {
    var c = unisono_service()
    c.size = UInt32(MemoryLayout<unisono_service>.size)
    c.identifier = try lent.text(identifier, "identifier")
    c.usage_description = try lent.text(usageDescription, "usageDescription")
    c.device_name = try lent.text(deviceName, "deviceName")
    (c.platforms, c.platform) = (platforms.rawValue, platform.rawValue)
    return c
  }
}

/// What may be asked of a device, or was.
public struct NearbyIntent: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ intent: unisono_intent) { rawValue = intent.rawValue }

  /// An address that somebody typed: not known before it answers.
  public static let unknown = NearbyIntent(.UNISONO_INTENT_UNKNOWN)
  /// It has a session that one may ask to join.
  public static let join = NearbyIntent(.UNISONO_INTENT_JOIN)
  /// It has none and may be asked into one.
  public static let invite = NearbyIntent(.UNISONO_INTENT_INVITE)
}

/// A device that was found. Its texts are its own word, unverified.
public struct NearbyDevice: Hashable, Sendable, Identifiable {
  /// Stable while the browser knows it.
  public let id: UInt64
  public let name: String
  public let usageDescription: String
  public let platform: NearbyService.Platforms
  public let intent: NearbyIntent

  init(_ c: unisono_nearby_event) {
    (id, platform, intent) = (c.device, NearbyService.Platforms(rawValue: c.platform), NearbyIntent(c.intent))
    (name, usageDescription) = (string(c.device_name) ?? "", string(c.usage_description) ?? "")
  }
}

/// Somebody asks. Show the digits: they are on the other screen, too, or somebody sits in between.
public struct JoinRequest: Hashable, Sendable {
  private let token: UInt
  /// Unverified text of the other side.
  public let deviceName: String
  public let usageDescription: String
  public let platform: NearbyService.Platforms
  public let intent: NearbyIntent
  /// Six.
  public let digits: String

  init?(_ c: unisono_nearby_event) {
    guard let request = c.request else { return nil }
    token = UInt(bitPattern: request)
    (platform, intent) = (NearbyService.Platforms(rawValue: c.platform), NearbyIntent(c.intent))
    (deviceName, usageDescription) = (string(c.device_name) ?? "", string(c.usage_description) ?? "")
    digits = sixDigits(c)
  }

  /// Two are the same when they are the same ask.
  public static func == (left: JoinRequest, right: JoinRequest) -> Bool { left.token == right.token }
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }

  /// Yes: the session's invite leaves, sealed; of `.invite`: it comes, as `AdvertiserEvent.invite`, when the other person has
  /// compared the digits, too.
  /// Errors: `.closed` (answered, or withdrawn), `.wrongState` (the session is invalidated).
  public func accept() throws(UnisonoError) { try check(unisono_join_request_accept(OpaquePointer(bitPattern: token))) }

  /// No. The asker is told nothing and sees a time-out.
  /// Errors: `.closed` (answered, or withdrawn).
  public func deny() throws(UnisonoError) { try check(unisono_join_request_deny(OpaquePointer(bitPattern: token))) }
}

/// Says on the local network that this device is here, and is asked. Letting go of it says goodbye.
public final class NearbyAdvertiser: Sendable {
  public let context: Context
  private let handle: Handle
  private let target = Listeners<AdvertiserEvent> { AdvertiserEvent($0) }

  /// session: others may ask to join it. nil: others may ask this device into theirs.
  /// Errors: `.invalidArgument` (what the service says; another context's session), `.wrongState` (the session is invalidated),
  /// `.network` (no port; without multicast it comes later, as `AdvertiserEvent.error`), `.notSupported`.
  public init(on context: Context, _ service: NearbyService, session: Session? = nil) throws(UnisonoError) {
    let lent = Lent()
    var c = try service.c(lent)
    handle = try context.loop.made(target) { user, out in
      withExtendedLifetime(lent) {
        unisono_advertiser_create(context.loop.context.token, session?.handle.token, &c, nil, user, &out)
      }
    }
    self.context = context
  }

  deinit { unisono_advertiser_destroy(handle.token) }

  /// What happens from now on.
  public var events: Events<AdvertiserEvent> { target.broadcast.events() }

  /// "host:port", for people to type where devices do not find each other.
  public var addresses: [String] {
    get throws(UnisonoError) { try readTexts { unisono_advertiser_address(handle.token, $0, $1, $2) } }
  }
}

/// What happens to an advertiser.
public enum AdvertiserEvent: LossyEvent {
  /// Show its digits, let the person answer it.
  case joinRequested(JoinRequest)
  /// Too late to answer it.
  case joinWithdrawn(JoinRequest)
  /// The invite that an accepted request of `.invite` brought: for `Session(on:invite:)`. A secret.
  case invite(String, JoinRequest)
  /// What went wrong later: no network, say.
  case error(LateError)
  /// So many events are missing here: this reader did not keep up.
  case overflow(Int)

  init?(_ event: UnsafePointer<unisono_context_event>) {
    if let error = LateError(event) {
      self = .error(error)
      return
    }
    guard let c = unisono_event_nearby(event)?.pointee, let request = JoinRequest(c) else { return nil }
    switch c.base.type {
    case .UNISONO_EVENT_NEARBY_JOIN_REQUESTED: self = .joinRequested(request)
    case .UNISONO_EVENT_NEARBY_JOIN_WITHDRAWN: self = .joinWithdrawn(request)
    case .UNISONO_EVENT_NEARBY_INVITE: self = .invite(string(c.invite) ?? "", request)
    default: return nil
    }
  }
}

/// Looks for devices that advertise a service, and asks them. Letting go of it stops looking, and cancels what is being asked.
public final class NearbyBrowser: Sendable {
  public let context: Context
  private let handle: Handle
  private let target = Listeners<BrowserEvent> { BrowserEvent($0) }

  /// Advertisers of the same context are left out.
  /// Errors: `.invalidArgument` (what the service says), `.notSupported`.
  public init(on context: Context, _ service: NearbyService) throws(UnisonoError) {
    let lent = Lent()
    var c = try service.c(lent)
    handle = try context.loop.made(target) { user, out in
      withExtendedLifetime(lent) { unisono_browser_create(context.loop.context.token, &c, nil, user, &out) }
    }
    self.context = context
  }

  deinit { unisono_browser_destroy(handle.token) }

  /// What happens from now on.
  public var events: Events<BrowserEvent> { target.broadcast.events() }

  /// Knows a device by an address that somebody typed, "host:port"; `.found` comes, it is never lost.
  /// Returns: its id, the same when the address is given again.
  /// Errors: `.invalidArgument` (no host:port), `.full` (64 addresses).
  @discardableResult
  public func add(address: String) throws(UnisonoError) -> NearbyDevice.ID {
    let lent = Lent()
    let text = try lent.text(address, "address")
    var device: UInt64 = 0
    try check(withExtendedLifetime(lent) { unisono_browser_add_address(handle.token, text, &device) })
    return device
  }

  /// Asks a device to let this one join its session. A cancelled task withdraws it.
  /// areTheSame: gets the six digits that both screens show; what the person says of them: are they the same?
  /// Returns: an invite, for `Session(on:invite:)`.
  /// Errors: `.notFound` (no such device, or lost), `.busy` (it is being asked, takes no more asks, or has no session),
  /// `.timedOut` (nobody answered, or no), `.canceled`, `.network`, `.protocolViolation`, `.authentication`, `.closed`.
  public func connect(
    to device: NearbyDevice.ID, areTheSame: @escaping @Sendable (_ digits: String) async -> Bool
  ) async throws(UnisonoError) -> String {
    try await ask(device, areTheSame) { unisono_browser_connect(handle.token, device) }
  }

  /// Asks a device into a session of this context: as `connect`; returns when the session's invite was handed over.
  /// Errors: as those of `connect`; `.invalidArgument` (another context's session), `.wrongState` (it is invalidated).
  public func invite(
    _ device: NearbyDevice.ID, to session: Session, areTheSame: @escaping @Sendable (_ digits: String) async -> Bool
  ) async throws(UnisonoError) {
    _ = try await ask(device, areTheSame) { unisono_browser_invite(handle.token, device, session.handle.token) }
  }

  /// The person is asked beside the wait for the other side, which may give up meanwhile. Each ask ends with one event, also a cancelled
  /// one, and that is waited for: a later ask of the same device does not get it.
  private func ask(
    _ device: NearbyDevice.ID, _ areTheSame: @escaping @Sendable (String) async -> Bool, _ begin: () -> Int32
  ) async throws(UnisonoError) -> String {
    let (events, handle) = (events, handle)
    try check(begin())
    let ask = Task { () -> Result<String, UnisonoError> in
      var question: Task<Void, Never>?
      defer { question?.cancel() }
      for await event in events {
        switch event {
        case .digits(let digits, device):
          question = Task {
            let answer = await areTheSame(digits)
            guard !Task.isCancelled else { return }  // it is over
            _ = unisono_browser_confirm(handle.token, device, answer ? 1 : 0)
          }
        case .invite(let invite, device): return .success(invite)
        case .failed(let error, device): return .failure(error)
        default: continue
        }
      }
      return .failure(UnisonoError(.closed))
    }
    let answer = await withTaskCancellationHandler {
      await ask.value
    } onCancel: {
      _ = unisono_browser_confirm(handle.token, device, 0)  // where it is over already, there is nothing to withdraw
    }
    return try answer.get()
  }
}

/// What happens to a browser.
public enum BrowserEvent: LossyEvent {
  case found(NearbyDevice)
  case updated(NearbyDevice)
  case lost(NearbyDevice)
  /// Of an ask, as the two below: whoever asked gets them, too.
  case digits(String, NearbyDevice.ID)
  /// A secret.
  case invite(String, NearbyDevice.ID)
  case failed(UnisonoError, NearbyDevice.ID)
  /// What went wrong later: no network, say.
  case error(LateError)
  /// So many events are missing here: this reader did not keep up.
  case overflow(Int)

  init?(_ event: UnsafePointer<unisono_context_event>) {
    if let error = LateError(event) {
      self = .error(error)
      return
    }
    guard let c = unisono_event_nearby(event)?.pointee else { return nil }
    switch c.base.type {
    case .UNISONO_EVENT_NEARBY_FOUND: self = .found(NearbyDevice(c))
    case .UNISONO_EVENT_NEARBY_UPDATED: self = .updated(NearbyDevice(c))
    case .UNISONO_EVENT_NEARBY_LOST: self = .lost(NearbyDevice(c))
    case .UNISONO_EVENT_NEARBY_DIGITS: self = .digits(sixDigits(c), c.device)
    case .UNISONO_EVENT_NEARBY_INVITE: self = .invite(string(c.invite) ?? "", c.device)
    case .UNISONO_EVENT_NEARBY_FAILED: self = .failed(UnisonoError(.init(rawValue: c.status)), c.device)
    default: return nil
    }
  }
}

private func sixDigits(_ c: unisono_nearby_event) -> String {
  withUnsafeBytes(of: c.digits) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
