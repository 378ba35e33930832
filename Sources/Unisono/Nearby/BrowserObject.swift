import CUnisono
import Synchronization
import UnisonoBase
import UnisonoCrypto
import UnisonoNearby
import UnisonoRuntime

/// A browser: gives the host the devices that are there, and asks them for it.
final class BrowserObject: ContextChild, @unchecked Sendable {
  override class var kind: HandleKind { .browser }

  static let typedLimit = 64

  /// What calls know without the loop.
  private struct Calls {
    /// Numbers of devices that are there.
    var known: Set<UInt64> = []
    /// Being asked.
    var asked: Set<UInt64> = []
    /// Typed by hand.
    var typed: [String: UInt64] = [:]
  }

  private let service: NearbyService
  private let callbacks: unisono_browser_callbacks?
  private let calls = Mutex(Calls())
  private let engine: NearbyBrowser
  /// On the loop.
  private var devices: [UInt64: NearbyDevice] = [:]

  /// What the engine tells reaches the object, which is made after it.
  private final class Mailbox { weak var browser: BrowserObject? }

  /// On the loop.
  private init(
    token: HandleToken, context: ContextObject, service: NearbyService, callbacks: unisono_browser_callbacks?,
    user: UnsafeMutableRawPointer?
  ) {
    let mailbox = Mailbox()
    engine = NearbyBrowser(
      environment: context.loop, service: service,
      isOwn: { [weak context] instance in
        context?.hasChild { ($0 as? AdvertiserObject)?.instance == instance } ?? false
      }, tell: { mailbox.browser?.handle($0) })
    self.service = service
    self.callbacks = callbacks
    super.init(token: token, context: context, user: user, released: callbacks?.released)
    mailbox.browser = self
  }

  static func create(
    in context: ContextObject, _ service: UnsafePointer<unisono_service>?,
    _ pointer: UnsafePointer<unisono_browser_callbacks>?, _ user: UnsafeMutableRawPointer?
  ) throws(Failure) -> BrowserObject {
    let service = try ServiceOptions.service(service, in: context)
    guard pointer != nil || context.queue != nil else {
      throw Failure(.UNISONO_EINVAL, "callbacks is NULL, and the context has no event queue to put devices into")
    }
    let callbacks: unisono_browser_callbacks? =
      if let pointer { try copied(pointer, into: unisono_browser_callbacks(), atLeast: 72, "callbacks") } else { nil }
    let box = UserPointer(user)
    let made = LoopCall { () throws(Failure) -> BrowserObject in
      try context.publish(.browser) { token in
        BrowserObject(token: token, context: context, service: service, callbacks: callbacks, user: box.pointer)
      }
    }
    return try made.run(in: context)
  }

  // MARK: Calls

  func add(_ text: UnsafePointer<CChar>?) throws(Failure) -> UInt64 {
    let address = try InputText.required(text, atMost: WireLimits.hubAddress, "address")
    guard HostPort.isValid(Array(address.utf8)) else {
      throw Failure(
        .UNISONO_EINVAL, "the address \"\(address)\" is no host:port; write 192.168.1.5:4747 or [fe80::1]:4747")
    }
    let (number, isNew) = calls.withLock { calls -> (UInt64?, Bool) in
      if let number = calls.typed[address] { return (number, false) }
      guard calls.typed.count < Self.typedLimit else { return (nil, false) }
      // Devices that were heard have odd numbers.
      let number = UInt64(calls.typed.count + 1) * 2
      calls.typed[address] = number
      calls.known.insert(number)
      return (number, true)
    }
    guard let number else {
      throw Failure(.UNISONO_EFULL, "\(Self.typedLimit) addresses were given; make a new browser")
    }
    if isNew { try submit { $0.engine.add(number, address: address) } }
    return number
  }

  /// `session` nil: to be let in; else to invite into it.
  func ask(_ device: UInt64, into session: SessionObject?) throws(Failure) {
    var invite: Invite?
    if let session {
      guard session.context === context else {
        throw Failure(.UNISONO_EINVAL, "the session was made from another context")
      }
      invite = try session.parsedInvite()
    }
    let refusal = calls.withLock { calls -> Failure? in
      guard calls.known.contains(device) else {
        return Failure(.UNISONO_ENOTFOUND, "no device \(device) is known; give the number that FOUND told")
      }
      guard calls.asked.insert(device).inserted else {
        return Failure(.UNISONO_EBUSY, "that device is being asked; wait for INVITE or FAILED")
      }
      return nil
    }
    if let refusal { throw refusal }
    try submit { [invite] in $0.begin(device, invite) }
  }

  func confirm(_ device: UInt64, _ digitsMatch: Bool) throws(Failure) {
    guard calls.withLock({ $0.asked.contains(device) }) else {
      throw Failure(.UNISONO_ENOTFOUND, "nothing is being asked of device \(device); it may have ended just now")
    }
    // An ask that ended meanwhile has told so.
    try submit { try? $0.engine.confirm(device, digitsMatch: digitsMatch) }
  }

  private func submit(_ work: @escaping @Sendable (BrowserObject) -> Void) throws(Failure) {
    try context.submit { [self] in
      if !isDead { work(self) }
    }
  }

  // MARK: On the loop

  override func tearDown() { engine.close() }

  private func begin(_ device: UInt64, _ invite: Invite?) {
    do throws(NearbyBrowser.Refusal) {
      try engine.ask(device, inviting: invite)
    } catch {
      // It went while the call was on its way.
      end(device, .UNISONO_ENOTFOUND, invite == nil ? .join : .invite)
    }
  }

  private func handle(_ event: NearbyBrowserEvent) {
    guard !isDead else { return }
    context.requestEndOfTurn()
    switch event {
    case .devices(.found(let device)):
      devices[device.number] = device
      calls.withLock { _ = $0.known.insert(device.number) }
      deliver(.UNISONO_EVENT_NEARBY_FOUND, content(device), .other, callbacks?.found)
    case .devices(.updated(let device)):
      devices[device.number] = device
      deliver(.UNISONO_EVENT_NEARBY_UPDATED, content(device), .other, callbacks?.updated)
    case .devices(.lost(let device)):
      devices[device.number] = nil
      calls.withLock { _ = $0.known.remove(device.number) }
      deliver(.UNISONO_EVENT_NEARBY_LOST, content(device), .other, callbacks?.lost)
    case .digits(let device, let name, let intent, let digits):
      var content = content(device, intent)
      content.deviceName = name
      content.digits = digits
      deliver(.UNISONO_EVENT_NEARBY_DIGITS, content, .kept, callbacks?.digits)
    case .agreed(let device, let intent, let invite):
      calls.withLock { _ = $0.asked.remove(device) }
      var content = content(device, intent)
      content.invite = invite.text
      deliver(.UNISONO_EVENT_NEARBY_INVITE, content, .kept, callbacks?.invite)
    case .failed(let device, let intent, let failure): end(device, failure.status, intent)
    case .reach(""): context.log(.info, "browser: other devices can be found again")
    case .reach(let problem):
      refuse(
        callbacks?.error, "unisono_browser_create", .UNISONO_ENETWORK,
        "other devices cannot be found: \(problem); give the other device's address (unisono_browser_add_address)")
    case .log(let level, let text): context.log(level, text)
    }
  }

  private func end(_ device: UInt64, _ status: unisono_status, _ intent: NearbyIntent) {
    calls.withLock { _ = $0.asked.remove(device) }
    var content = content(device, intent)
    content.status = status
    deliver(.UNISONO_EVENT_NEARBY_FAILED, content, .kept, callbacks?.failed)
  }

  private func content(_ number: UInt64, _ intent: NearbyIntent) -> NearbyContent {
    var content = NearbyContent(device: number, usage: service.usage)
    if let device = devices[number] { content = self.content(device) }
    content.intent = intent
    return content
  }

  private func content(_ device: NearbyDevice) -> NearbyContent {
    NearbyContent(
      device: device.number, deviceName: device.name, usage: device.usage, platform: device.platform,
      intent: device.intent)
  }
}

extension AskAttempt.Failure {
  fileprivate var status: unisono_status {
    switch self {
    case .unreachable, .vanished: .UNISONO_ENETWORK
    case .busy: .UNISONO_EBUSY
    case .timedOut: .UNISONO_ETIMEDOUT
    case .canceled: .UNISONO_ECANCELED
    case .malformed: .UNISONO_EPROTOCOL
    case .forged: .UNISONO_EAUTH
    }
  }
}
