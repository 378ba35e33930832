import CUnisono
import Synchronization
import Testing

/// Several threads call everything while the loop runs. Says most under the thread and the address sanitizer.
@Suite("Threads: any of them may call any function", .serialized)
struct CallStormTests {
  static let rounds = 150

  /// One round of calls of a host that cannot make up its mind.
  static func calls(_ coordinator: Handle, round: Int, note: (Int32) -> Void) {
    var time: Int64 = 0
    var timing = unisono_timing()
    timing.size = UInt32(MemoryLayout<unisono_timing>.size)
    var statistics = unisono_coordinator_statistics()
    statistics.size = UInt32(MemoryLayout<unisono_coordinator_statistics>.size)
    var report = unisono_playback_report()
    report.size = UInt32(MemoryLayout<unisono_playback_report>.size)
    report.rate = 1
    report.host_time = unisono_host_time()
    report.flags = UInt32(UNISONO_HAS_POSITION)
    let o = coordinator.raw
    note(unisono_coordinator_transition_to_item(o, round % 3 == 0 ? "film" : "song", nil))
    note(unisono_coordinator_coordinate_rate_change(o, round % 2 == 0 ? 1 : 0, UInt32(round % 4 / 2)))
    note(unisono_coordinator_coordinate_seek(o, Int64(round) * 1_000_000, UInt32(round % 2)))
    note(unisono_coordinator_expected_item_time(o, unisono_host_time(), &time))
    note(unisono_coordinator_timing(o, &timing))
    note(unisono_coordinator_get_statistics(o, &statistics))
    note(unisono_coordinator_report(o, &report))
    note(unisono_coordinator_reapply_current_item_state(o))
    note(unisono_coordinator_set_wait_limit(o, Int64(round) * 1_000_000))
    var suspension: OpaquePointer?
    note(unisono_coordinator_begin_suspension(o, "storm", &suspension))
    var participants: UnsafePointer<unisono_participants>?
    note(unisono_coordinator_other_participants(o, &participants))
    unisono_free(participants)
    var reasons: UnsafePointer<UnsafePointer<CChar>?>?
    var count = 0
    note(unisono_coordinator_suspension_reasons(o, &reasons, &count))
    unisono_free(reasons)
    if suspension != nil { note(unisono_suspension_end_proposing(suspension, Int64(round))) }
    unisono_suspension_destroy(suspension)
  }

  /// What a person wants when the storm is over. In the storm itself the loop may have had no turn between calls whose
  /// effects cancel out, so that no command had to come.
  private func want(_ coordinator: Handle) {
    _ = unisono_coordinator_transition_to_item(coordinator.raw, "calm", nil)
    _ = unisono_coordinator_coordinate_rate_change(coordinator.raw, 1, 0)
  }

  @Test("four threads command one player on an own thread; all calls are answered, then destroy ends it")
  func ownThread() {
    let released = Counter()
    let commands = Counter()
    let strange = Counter()
    let context = Make.context(ownThread: true, released: released)
    let coordinator = Make.coordinator(in: context, commands: commands)
    let caller: @Sendable () -> Void = {
      for round in 0..<Self.rounds { Self.calls(coordinator, round: round) { if !isExpected($0) { strange.add() } } }
    }
    Threads.run([caller, caller, caller, caller])
    let before = commands.value
    want(coordinator)
    #expect(commands.exceeds(before))
    unisono_context_destroy(context.raw)
    #expect(strange.value == 0)
    #expect(released.value == 1)
  }

  @Test("three threads call while another polls and a fifth wakes it")
  func polled() {
    let commands = Counter()
    let strange = Counter()
    let done = Counter()
    let context = Make.context(ownThread: false)
    let coordinator = Make.coordinator(in: context, commands: commands)
    let caller: @Sendable () -> Void = {
      for round in 0..<Self.rounds { Self.calls(coordinator, round: round) { if !isExpected($0) { strange.add() } } }
      done.add()
      _ = unisono_context_wake(context.raw)
    }
    Threads.run([
      caller, caller, caller,
      { while done.value < 3 { if !isExpected(unisono_context_poll(context.raw, 1_000_000_000)) { strange.add() } } },
      { while done.value < 3 { _ = unisono_context_wake(context.raw) } },
    ])
    let before = commands.value
    want(coordinator)
    for _ in 0..<100 where commands.value == before { _ = unisono_context_poll(context.raw, 0) }
    #expect(commands.value > before)
    unisono_context_destroy(context.raw)
    #expect(strange.value == 0)
  }

  @Test("the event queue is read by one thread while others fill it and the loop runs by itself")
  func queue() {
    let strange = Counter()
    let done = Counter()
    let events = Counter()
    let context = Make.context(ownThread: true, eventQueue: true)
    var made: OpaquePointer?
    _ = unisono_coordinator_create(context.raw, nil, nil, &made)
    let coordinator = Handle(raw: made)
    let caller: @Sendable () -> Void = {
      for round in 0..<Self.rounds { Self.calls(coordinator, round: round) { if !isExpected($0) { strange.add() } } }
      done.add()
      _ = unisono_context_wake(context.raw)
    }
    Threads.run([
      caller, caller,
      {
        while done.value < 2 {
          var event: UnsafePointer<unisono_context_event>?
          let status = unisono_context_next_event(context.raw, 1_000_000_000, &event)
          if !isExpected(status) { strange.add() }
          if status == 1, let event, event.pointee.size >= 32 { events.add() }
        }
      },
    ])
    unisono_context_destroy(context.raw)
    #expect(strange.value == 0)
    #expect(events.value > 0)
  }

  @Test("two participants on threads of their own are stormed while they talk to each other")
  func session() {
    let strange = Counter()
    let commands = Counter()
    let one = Make.context(ownThread: true)
    let two = Make.context(ownThread: true)
    let host = Make.hosted(in: one)
    let guest = Make.opened(Make.invite(of: host), in: two)
    let first = Make.coordinator(in: one, commands: commands)
    let second = Make.coordinator(in: two, commands: commands)
    #expect(unisono_coordinator_coordinate_with_session(first.raw, host.raw) == 0)
    #expect(unisono_coordinator_coordinate_with_session(second.raw, guest.raw) == 0)
    #expect(unisono_session_join(host.raw) == 0)
    #expect(unisono_session_join(guest.raw) == 0)
    let reader: @Sendable (Handle) -> Void = { session in
      var clock = unisono_clock()
      clock.size = UInt32(MemoryLayout<unisono_clock>.size)
      var statistics = unisono_session_statistics()
      statistics.size = UInt32(MemoryLayout<unisono_session_statistics>.size)
      for _ in 0..<Self.rounds * 4 {
        var participants: UnsafePointer<unisono_participants>?
        for status in [
          unisono_session_clock(session.raw, &clock), unisono_session_get_statistics(session.raw, &statistics),
          unisono_session_get_state(session.raw), unisono_session_connection(session.raw),
          unisono_session_participants(session.raw, &participants),
        ] where !isExpected(status) { strange.add() }
        unisono_free(participants)
      }
    }
    let caller: @Sendable (Handle) -> Void = { coordinator in
      for round in 0..<Self.rounds { Self.calls(coordinator, round: round) { if !isExpected($0) { strange.add() } } }
    }
    Threads.run([{ caller(first) }, { caller(second) }, { reader(host) }, { reader(guest) }])
    let before = commands.value
    want(first)
    #expect(commands.exceeds(before))
    unisono_context_destroy(two.raw)
    unisono_context_destroy(one.raw)
    #expect(strange.value == 0)
  }
}
