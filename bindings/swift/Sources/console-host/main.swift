import GroupLines
import UnisonoKit

/// A player that plays silence: it is where its line is.
actor Silence: PlaybackCoordinatorDelegate {
  private var line = Timing(hostTime: .now)

  func play(_ command: PlayCommand) async throws {
    try await command.hostTime.wait()
    line = Timing(itemTime: command.itemTime, rate: command.rate, hostTime: command.hostTime)
  }
  func pause(_ command: PauseCommand) { stand(at: command.snapsToItemTime ? command.itemTime : position(at: .now)) }
  func seek(_ command: SeekCommand) { stand(at: command.itemTime) }
  func buffer(_ command: BufferingCommand) { stand(at: command.itemTime) }
  func keep(to timing: Timing?) { if let timing, timing.state == .playing, line.rate != 0 { line = timing } }
  func position(at instant: HostTime) -> ItemTime { line.itemTime(at: instant) }
  private func stand(at itemTime: ItemTime) { line = Timing(itemTime: itemTime, hostTime: .now) }
}

let (arguments, silence, context) = (CommandLine.arguments, Silence(), try Context())
let options = Session.Options(displayName: arguments.count > 1 ? arguments[1] : nil)
let isGuest = arguments.count > 2
let session = try isGuest ? Session(on: context, invite: arguments[2], options) : .host(on: context, options)
let coordinator = try Coordinator(on: context, delegate: silence)
let lines = GroupLines(session, coordinator) { print($0) }
try coordinator.coordinate(with: session)
try coordinator.transition(toItem: "silence")
try session.join()
print("invite", try session.invite)

while let line = readLine() {
  await silence.keep(to: coordinator.timing)  // clocks drift, and the group's is known better after a while
  if line.isEmpty {
    let (state, now) = (try session.state == .joined ? "joined" : "waiting", HostTime.now)
    print(state, now.nanoseconds, await silence.position(at: now).nanoseconds)
  } else if !lines.run(line) {
    break
  }
}
_ = await session.leave(within: .seconds(2))
