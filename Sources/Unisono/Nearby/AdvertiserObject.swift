import CUnisono
import UnisonoCrypto
import UnisonoNearby
import UnisonoRuntime

/// An advertiser: copies what the host declares, gives it the asks that come.
final class AdvertiserObject: ContextChild, EndOfTurnParticipant, @unchecked Sendable {
  override class var kind: HandleKind { .advertiser }

  private let service: NearbyService
  private let session: SessionObject?
  private let callbacks: unisono_advertiser_callbacks?
  private let engine: NearbyAdvertiser

  // On the loop.
  private var requests: [UInt64: JoinRequestObject] = [:]
  private var isStopped = false

  /// What the engine tells reaches the object, which is made after it.
  private final class Mailbox { weak var advertiser: AdvertiserObject? }

  /// On the loop; binds at once.
  private init(
    token: HandleToken, context: ContextObject, session: SessionObject?, service: NearbyService,
    callbacks: unisono_advertiser_callbacks?, user: UnsafeMutableRawPointer?
  ) throws(NetworkError) {
    let mailbox = Mailbox()
    engine = try NearbyAdvertiser(
      environment: context.loop, service: service, intent: session == nil ? .invite : .join
    ) { mailbox.advertiser?.handle($0) }
    self.service = service
    self.session = session
    self.callbacks = callbacks
    super.init(token: token, context: context, user: user, released: callbacks?.released)
    mailbox.advertiser = self
  }

  static func create(
    in context: ContextObject, _ session: SessionObject?, _ service: UnsafePointer<unisono_service>?,
    _ pointer: UnsafePointer<unisono_advertiser_callbacks>?, _ user: UnsafeMutableRawPointer?
  ) throws(Failure) -> AdvertiserObject {
    let service = try ServiceOptions.service(service, in: context)
    guard session == nil || session?.context === context else {
      throw Failure(.UNISONO_EINVAL, "the session was made from another context")
    }
    try session?.requireLife()
    guard pointer != nil || context.queue != nil else {
      throw Failure(.UNISONO_EINVAL, "callbacks is NULL, and the context has no event queue to put asks into")
    }
    let callbacks: unisono_advertiser_callbacks? =
      if let pointer { try copied(pointer, into: unisono_advertiser_callbacks(), atLeast: 40, "callbacks") } else {
        nil
      }
    let box = UserPointer(user)
    let made = LoopCall { () throws(Failure) -> AdvertiserObject in
      let advertiser = try context.publish(.advertiser) { token throws(Failure) -> AdvertiserObject in
        do throws(NetworkError) {
          return try AdvertiserObject(
            token: token, context: context, session: session, service: service, callbacks: callbacks, user: box.pointer)
        } catch {
          throw Failure(.UNISONO_ENETWORK, error.message)
        }
      }
      context.settleEveryTurn(advertiser)
      return advertiser
    }
    return try made.run(in: context)
  }

  var instance: UInt64 { engine.instance }

  /// "host:port", as the machine's addresses are now.
  var addresses: [String] { engine.addresses }

  func submit(_ work: @escaping @Sendable (AdvertiserObject) -> Void) throws(Failure) {
    try context.submit { [self] in
      if !isDead { work(self) }
    }
  }

  /// What is handed to those who may join.
  func sessionInvite() throws(Failure) -> Invite? {
    guard let session else { return nil }
    return try session.parsedInvite()
  }

  // MARK: On the loop

  func accept(_ request: NearbyRequest, _ invite: Invite?) {
    engine.accept(request.id, invite: invite)
    // One who invites still has to say yes, too.
    if request.intent == .join { requests[request.id] = nil }
  }

  func deny(_ request: NearbyRequest) {
    requests[request.id] = nil
    engine.deny(request.id)
  }

  /// A session that is over is nothing to join.
  func settle() {
    guard !isStopped, session?.isOver == true else { return }
    isStopped = true
    engine.close()
    for id in requests.keys.sorted() { withdraw(id) }
    context.log(.info, "advertiser: the session is over; \(service.identifier) is not advertised any more")
  }

  override func tearDown() {
    context.stopSettling(self)
    engine.close()
    for request in requests.values { request.expire() }
    requests = [:]
  }

  private func handle(_ event: NearbyAdvertiserEvent) {
    guard !isDead else { return }
    context.requestEndOfTurn()
    switch event {
    case .asked(let request): ask(request)
    case .withdrawn(let id): withdraw(id)
    case .invited(let request, let invite):
      let handle = requests.removeValue(forKey: request.id)
      handle?.expire()
      var content = content(request, handle)
      content.invite = invite.text
      deliver(.UNISONO_EVENT_NEARBY_INVITE, content, .kept, callbacks?.invite)
    case .reach(""): context.log(.info, "advertiser: other devices can be reached again")
    case .reach(let problem):
      refuse(
        callbacks?.error, "unisono_advertiser_create", .UNISONO_ENETWORK,
        "other devices cannot find this one: \(problem); they can type its address (unisono_advertiser_address)")
    case .log(let level, let text): context.log(level, text)
    }
  }

  private func ask(_ request: NearbyRequest) {
    let handle: JoinRequestObject
    do throws(Failure) {
      handle = try context.publish(.joinRequest) { JoinRequestObject(token: $0, advertiser: self, request: request) }
    } catch {
      context.log(.warning, "advertiser: an ask cannot be shown: \(error.message)")
      return
    }
    requests[request.id] = handle
    var content = content(request, handle)
    content.digits = request.digits
    deliver(.UNISONO_EVENT_NEARBY_JOIN_REQUESTED, content, .kept, callbacks?.join_requested)
  }

  private func withdraw(_ id: UInt64) {
    guard let handle = requests.removeValue(forKey: id) else { return }
    handle.expire()
    deliver(.UNISONO_EVENT_NEARBY_JOIN_WITHDRAWN, content(handle.request, handle), .kept, callbacks?.join_withdrawn)
  }

  private func content(_ request: NearbyRequest, _ handle: JoinRequestObject?) -> NearbyContent {
    NearbyContent(
      device: request.id, request: handle?.token, deviceName: request.deviceName, usage: service.usage,
      platform: request.platform, intent: request.intent)
  }
}
