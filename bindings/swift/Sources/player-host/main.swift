import GroupLines
import UnisonoKit

/// A film of two hours that is a number: where it is at an instant. It begins at once, and is never in the way.
actor Reel: Renderer {
  nonisolated let capabilities = RendererCapabilities(nudges: true)
  private var line = Timing(hostTime: .now)
  private var factor = 1.0

  func load(_ item: String, uri: String, at itemTime: ItemTime) async throws -> Duration? {
    stand(at: itemTime)
    return .seconds(7200)
  }
  func cue(at itemTime: ItemTime, rate: Double) async throws { stand(at: itemTime) }
  func play(at rate: Double, itemTime: ItemTime, hostTime: HostTime) async throws { run(at: rate) }
  func pause() async throws { stand(at: line.itemTime(at: .now)) }
  func seek(to itemTime: ItemTime, toleranceBefore: Duration?, toleranceAfter: Duration?) async throws {
    line = Timing(itemTime: itemTime, rate: line.rate, hostTime: .now)
  }
  func nudge(by factor: Double) async {
    let rate = line.rate / self.factor
    self.factor = factor
    run(at: rate)
  }
  func stop() async { stand(at: .zero) }
  func position() async -> (itemTime: ItemTime, hostTime: HostTime)? {
    let now = HostTime.now
    return (line.itemTime(at: now), now)
  }

  private func stand(at itemTime: ItemTime) { line = Timing(itemTime: itemTime, hostTime: .now) }
  private func run(at rate: Double) {
    let now = HostTime.now
    line = Timing(itemTime: line.itemTime(at: now), rate: rate * factor, hostTime: now)
  }
}

let arguments = CommandLine.arguments
let context = try Context()
let options = Session.Options(displayName: arguments.count > 1 ? arguments[1] : nil)
let session = try arguments.count > 2 ? Session(on: context, invite: arguments[2], options) : .host(on: context, options)
let player = try Player(on: context, renderer: Reel())
let coordinator = player.playbackCoordinator
let lines = GroupLines(session, coordinator, transport: player) { print($0) }
Task.detached { [events = player.events] in
  for await case .itemState(.failed, let item?, let error?) in events { print("\(item): \(error)") }
}
try coordinator.coordinate(with: session)
try player.insert(.init("film"))
try session.join()
print("invite", try session.invite)
while let line = readLine(), lines.run(line) {}
_ = await session.leave(within: .seconds(2))
