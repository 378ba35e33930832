import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Coordination 2.12: what is said just before another policy comes, and who confirms had not seen.
@Suite("Unseen commands") struct UnseenCommandTests {
  /// The first participant did all there is to confirm; a new policy and what it confirms come to the others in one turn.
  private func room(playing: Bool) -> RuleHarness {
    let origin = PolicyOrigin(root: ParticipantID(high: 1, low: 0))
    var room = playing ? RuleHarness.playing(3, origin: origin) : RuleHarness.joined(3, origin: origin)
    room.readsAtOnce = true
    room.give(.seek(to: .seconds(60), resumeImmediately: false), to: 0)
    room.give(.setStallPolicy(StallPolicy(waits: false), asProposal: false), to: 0)
    room.give(.setActionAtEnd(.pause, asProposal: false), to: 0)
    room.run(.seconds(2))
    return room
  }

  /// `control` nil: nobody changes the policy.
  private func after(_ event: CoordinationEvent, playing: Bool, control: ControlPolicy? = .perRole) -> RuleHarness {
    var room = room(playing: playing)
    room.give(event, to: 1)
    if let control { room.give(.changePolicy(.control(control)), to: 0) }
    room.run(.seconds(3))
    return room
  }

  @Test("P14: a start, a pause, a rate, a jump that who confirms had not seen counts for all", arguments: [false, true])
  func playback(_ immediately: Bool) {
    let started = after(.rateChange(rate: 1, immediately: immediately), playing: false)
    #expect(started.statuses == [.playing] && started.isInStep)

    let paused = after(.rateChange(rate: 0, immediately: immediately), playing: true)
    #expect(paused.statuses == [.paused] && paused.isInStep)

    let faster = after(.rateChange(rate: 2, immediately: immediately), playing: true)
    #expect(faster.nodes.allSatisfy { $0.view.timing.line.rate == 2 } && faster.isInStep)

    for playing in [false, true] {
      let jumped = after(.seek(to: .seconds(500), resumeImmediately: immediately), playing: playing)
      #expect(jumped.isInStep && jumped.position(of: 0) >= .seconds(500))
    }
  }

  @Test("P14: what began at once began when it was given, and all are where they would be without the change")
  func instants() {
    for (event, playing): (CoordinationEvent, Bool) in [
      (.rateChange(rate: 1, immediately: true), false), (.rateChange(rate: 2, immediately: false), true),
      (.seek(to: .seconds(500), resumeImmediately: true), true),
    ] {
      let undisturbed = after(event, playing: playing, control: nil)
      #expect(after(event, playing: playing).position(of: 2) == undisturbed.position(of: 2))
    }
  }

  @Test("P14: so does what is set for the session, and a later command under the new policy counts before it")
  func settings() {
    let waits = after(.setStallPolicy(StallPolicy(waits: true), asProposal: false), playing: false)
    #expect(waits.nodes.allSatisfy { $0.view.waitsForStalls })

    // It is given before the other one says its own again, and comes to that one later.
    var room = room(playing: true)
    room.give(.rateChange(rate: 2, immediately: false), to: 1)
    room.run(.milliseconds(1))
    room.give(.changePolicy(.control(.perRole)), to: 0)
    room.run(.milliseconds(4))
    room.give(.rateChange(rate: 1.5, immediately: false), to: 0)
    room.run(.seconds(3))
    #expect(room.nodes.allSatisfy { $0.view.timing.line.rate == 1.5 })
    let places = room.nodes.indices.map { room.position(of: $0) }.sorted()
    #expect(places[2] - places[0] < .microseconds(1))
  }

  @Test("P14: who may not command under the new policy is told that what it did does not count")
  func denied() {
    let room = after(.rateChange(rate: 1, immediately: false), playing: false, control: .hostsOnly)
    #expect(room.statuses == [.paused])
    let refusals = room.notices[1].compactMap { effect in
      if case .playback(.refused(let operation, let status, _)) = effect { (operation, status) } else { nil }
    }
    #expect(refusals.map(\.0) == [.coordinateRateChange] && refusals.map(\.1) == [.denied])
    #expect(room.notices[2].allSatisfy { if case .playback(.refused) = $0 { false } else { true } })
  }

  @Test("P14: of what counts on, as it was confirmed, nobody is told that it does not", arguments: [0, 2, 5, 20, 100, 500, 2_000])
  func confirmed(later: Int64) {
    for playing in [false, true] {
      var room = room(playing: playing)
      room.give(.seek(to: .seconds(500), resumeImmediately: false), to: 1)
      room.run(.milliseconds(later))
      room.give(.changePolicy(.control(.hostsOnly)), to: 0)
      room.run(.seconds(5))
      let counts = room.position(of: 0) >= .seconds(500)
      let refused = room.notices[1].contains { if case .playback(.refused) = $0 { true } else { false } }
      #expect(room.isInStep && refused == !counts, "\(later) ms later, \(playing), counts: \(counts)")
      #expect(counts || later < 20)
    }
  }
}
