import UnisonoKit

/// A player that plays silence: it is where its line is.
actor Silence: PlaybackCoordinatorDelegate {
  private var line = Timing(hostTime: .now)

  func play(_ command: PlayCommand) async throws {
    try await command.hostTime.wait()
    line = Timing(itemTime: command.itemTime, rate: command.rate, hostTime: command.hostTime)
  }
  func pause(_ command: PauseCommand) {
    stand(at: command.snapsToItemTime ? command.itemTime : line.itemTime(at: .now))
  }
  func seek(_ command: SeekCommand) { stand(at: command.itemTime) }
  func buffer(_ command: BufferingCommand) { stand(at: command.itemTime) }
  func keep(to timing: Timing?) { if let timing, timing.state == .playing, line.rate != 0 { line = timing } }
  func position(at instant: HostTime) -> ItemTime { line.itemTime(at: instant) }
  private func stand(at itemTime: ItemTime) { line = Timing(itemTime: itemTime, hostTime: .now) }
}

let (context, silence) = (try Context(), Silence())
let invite = CommandLine.arguments.dropFirst().first
let session = try invite.map { try Session(on: context, invite: $0) } ?? Session.host(on: context)
let coordinator = try Coordinator(on: context, delegate: silence)
let events = session.events
Task.detached { for await case .notice(let notice) in events { print(notice) } }
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
    default: print("\(try session.state == .joined ? "joined" : "waiting") \(HostTime.now.nanoseconds) \(await silence.position(at: .now).nanoseconds)")
    }
  } catch { print(error) }
}
_ = await session.leave(within: .seconds(2))
