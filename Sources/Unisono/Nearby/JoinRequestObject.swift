import CUnisono
import UnisonoCrypto
import UnisonoRuntime

/// An ask that waits for the person's word: answered once, or void when it is withdrawn.
final class JoinRequestObject: ContextChild, @unchecked Sendable {
  override class var kind: HandleKind { .joinRequest }
  override var tellsRelease: Bool { false }

  let request: NearbyRequest
  private let advertiser: AdvertiserObject

  init(token: HandleToken, advertiser: AdvertiserObject, request: NearbyRequest) {
    self.request = request
    self.advertiser = advertiser
    super.init(token: token, context: advertiser.context, user: nil, released: nil)
  }

  func accept() throws(Failure) {
    let invite: Invite? = request.intent == .join ? try advertiser.sessionInvite() : nil
    try answer { [request] in $0.accept(request, invite) }
  }

  func deny() throws(Failure) {
    try answer { [request] in $0.deny(request) }
  }

  /// The handle is dead from now on. False: it was.
  @discardableResult
  func expire() -> Bool {
    guard HandleTable.shared.retire(token) else { return false }
    markDead()
    context.disown(self)
    return true
  }

  private func answer(_ work: @escaping @Sendable (AdvertiserObject) -> Void) throws(Failure) {
    guard expire() else { throw Failure(.UNISONO_ECLOSED, "the request was answered or withdrawn") }
    try advertiser.submit(work)
  }
}
