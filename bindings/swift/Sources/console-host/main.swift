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

let (context, silence) = (try Context(), Silence())
let session = try CommandLine.argc > 1 ? Session(on: context, invite: CommandLine.arguments[1]) : .host(on: context)
let coordinator = try Coordinator(on: context, delegate: silence)
Task.detached { [events = session.events] in for await case .notice(let notice) in events { print(notice) } }
try coordinator.coordinate(with: session)
try coordinator.transition(toItem: "silence")
try session.join()
print("invite", try session.invite)
while let words = readLine()?.split(separator: " ") {
  await silence.keep(to: coordinator.timing)  // clocks drift, and the group's is known better after a while
  do {
    switch words.first {
    case "play": try coordinator.coordinateRateChange(to: 1)
    case "pause": try coordinator.coordinateRateChange(to: 0)
    case "seek": try coordinator.coordinateSeek(to: .seconds(Double(words.last ?? "") ?? 0))
    default:
      let (state, now) = (try session.state == .joined ? "joined" : "waiting", HostTime.now)
      print(state, now.nanoseconds, await silence.position(at: now).nanoseconds)
    }
  } catch { print(error) }
}
_ = await session.leave(within: .seconds(2))
