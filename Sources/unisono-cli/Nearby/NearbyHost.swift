import UnisonoCrypto
import UnisonoNearby
import UnisonoRuntime

/// Shows this device to those nearby while a film is watched here. Who asks gets the invite once the person here said that both screens
/// show the same digits.
///
/// Unchecked, because advertiser and desk belong to the loop: everything that touches them is submitted there.
final class NearbyHost: @unchecked Sendable {
  private let loop: UVLoop
  private let say: @Sendable (String) -> Void
  private var advertiser: NearbyAdvertiser?
  private var desk: AskDesk?
  private var lastQuestion: UInt64 = 0

  /// - Parameters:
  ///   - asks: where the person is asked, as they are told.
  ///   - invite: the newest; nil: there is none yet. Any thread.
  ///   - say: for the person at the terminal.
  init(
    _ name: String, person: any Person, asks: String, invite: @escaping @Sendable () -> Invite?,
    say: @escaping @Sendable (String) -> Void
  ) throws(NetworkError) {
    loop = try UVLoop.ownThread(name: "unisono-nearby")
    self.say = say
    loop.submit { [self] in start(name, person, asks, invite) }
  }

  private func start(_ name: String, _ person: any Person, _ asks: String, _ invite: @escaping @Sendable () -> Invite?) {
    let desk = AskDesk(
      AskDesk.Owner(
        person: person, loop: loop,
        number: { [unowned self] in
          lastQuestion += 1
          return lastQuestion
        }, question: { Question(title: "Watch together", text: "\($0) asks to watch with you.") }, invite: invite,
        log: { _ in }))
    do throws(NetworkError) {
      let advertiser = try NearbyAdvertiser(environment: loop, service: WatchService.named(name), intent: .join) {
        [weak self] in self?.take($0)
      }
      desk.advertiser = advertiser
      (self.desk, self.advertiser) = (desk, advertiser)
      say("devices nearby see \"\(name)\"; who asks to join is asked about \(asks)")
    } catch {
      say("devices nearby do not see this one: \(error.message)")
    }
  }

  private func take(_ event: NearbyAdvertiserEvent) {
    switch event {
    case .asked(let request): desk?.ask(request)
    case .withdrawn(let id): desk?.withdraw(id)
    case .invited(let request, _): desk?.finish(request.id)
    case .reach(""): say("devices nearby see this one again")
    case .reach(let problem): say("devices nearby do not see this one: \(problem)")
    case .log: break
    }
  }

  /// Says goodbye, and waits for the loop to end.
  func close() {
    loop.close(teardown: { [self] in
      desk?.close()
      advertiser?.close()
      (advertiser, desk) = (nil, nil)
    })
  }
}
