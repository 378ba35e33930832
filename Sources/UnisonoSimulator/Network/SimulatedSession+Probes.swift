import UnisonoBase
import UnisonoCoordination

/// Clocks that are measured: asks go to the hub and back beside the messages, unordered, and are lost now and then.
extension SimulatedSession {
  /// The link is up: the hub's clock is measured, anew unless it is the one that was.
  func beginProbing(_ participant: Participant) {
    let clock = clockHub(of: participant).clock
    let host = participant.clock.host(at: now)
    if participant.measured?.clock != clock { participant.measured = MeasuredClock(of: clock, at: host) }
    keepProbing(participant)
  }

  private func keepProbing(_ participant: Participant) {
    guard let measured = participant.measured else { return }
    participant.measured?.wakes += 1
    let wake = measured.wakes + 1
    let time = firing(of: participant.clock.time(at: measured.remote.scheduler.next), for: participant)
    at(max(time, participant.stoppedUntil, now + 1)) { room in
      guard participant.measured?.wakes == wake, participant.isRunning, participant.link.connection != nil else {
        return
      }
      let host = participant.clock.host(at: room.now)
      if participant.measured?.remote.takeProbe(at: host).isEmpty == false { room.probe(participant, asked: host) }
      room.tellClock(participant)
      room.keepProbing(participant)
    }
  }

  private func probe(_ participant: Participant, asked: HostTime) {
    let hub = participant.link.hub
    guard let connection = participant.link.connection, hubs[hub].carries(connection),
      now >= participant.link.stalledUntil, let there = packetUp(participant)
    else {
      return
    }
    after(there) { room in
      guard room.hubs[hub].carries(connection), let back = room.packetDown(participant) else { return }
      let teller = room.clockHub(of: participant)
      let received = teller.time(at: room.now) + participant.hubLie.amount(at: room.now)
      let clock = teller.clock
      room.after(back) { room in
        // What was asked before a sleep is forgotten.
        guard participant.isRunning, room.now >= participant.stoppedUntil, let measured = participant.measured,
          measured.clock == clock, measured.began <= asked
        else { return }
        let host = participant.clock.host(at: room.now)
        let sample = ClockSample(asked: asked, received: received, replied: received, answered: host)
        // As a session's engine has it: nothing plays at any of its coordinators.
        let isPlaying = participant.read { $0.view.timing.status == .playing } || participant.machine.named.isPlaying
        participant.measured?.remote.add(sample, by: .datagram, at: host, isPlaying: isPlaying)
        room.tellClock(participant)
        room.keepProbing(participant)
      }
    }
  }

  private func tellClock(_ participant: Participant) {
    guard let measured = participant.measured else { return }
    guard let model = measured.model(at: participant.clock.host(at: now)) else { return }
    // The same straight line, further on, is no news.
    if let last = measured.lastModel, last.rate == model.rate, last.remote(at: model.hostTime) == model.remoteTime,
      last.errorGrowth == model.errorGrowth
    {
      return
    }
    participant.measured?.isTold = true
    participant.measured?.lastModel = model
    deliver(.clock(model, roundTrip: measured.remote.filter.usualRoundTrip), to: participant)
  }
}
