import CUnisono
import Testing

/// Everything ends at every moment. Says most under the thread and the address sanitizer.
@Suite("Threads: destroy races every call, itself included", .serialized)
struct DestroyRaceTests {
  @Test("calls of three threads race the end of their context, polled and on an own thread", arguments: [false, true])
  func context(ownThread: Bool) {
    let strange = Counter()
    for _ in 0..<40 {
      let released = Counter()
      let commands = Counter()
      let context = Make.context(ownThread: ownThread, released: released)
      let coordinator = Make.coordinator(in: context, commands: commands)
      let caller: @Sendable () -> Void = {
        for round in 0..<4 { CallStormTests.calls(coordinator, round: round) { if !isExpected($0) { strange.add() } } }
      }
      let ender: @Sendable () -> Void = { unisono_context_destroy(context.raw) }
      let poller: @Sendable () -> Void = { while unisono_context_poll(context.raw, -1) >= 0 {} }
      Threads.run([caller, caller, ender, ender] + (ownThread ? [] : [poller]))
      #expect(released.value == 1)
      #expect(unisono_context_wake(context.raw) == unisono_status.UNISONO_ECLOSED.rawValue)
    }
    #expect(strange.value == 0)
  }

  @Test("objects are destroyed by two threads while a third uses them and their context goes on")
  func objects() {
    let strange = Counter()
    let released = Counter()
    let context = Make.context(ownThread: true, released: released)
    for _ in 0..<40 {
      let commands = Counter()
      let coordinator = Make.coordinator(in: context, commands: commands)
      let ender: @Sendable () -> Void = { unisono_coordinator_destroy(coordinator.raw) }
      Threads.run([
        ender, ender,
        { CallStormTests.calls(coordinator, round: 1) { if !isExpected($0) { strange.add() } } },
      ])
    }
    #expect(released.value == 0)
    unisono_context_destroy(context.raw)
    #expect(released.value == 1)
    #expect(strange.value == 0)
  }

  @Test("sessions come and go on two threads of their own while others join them")
  func sessions() {
    let strange = Counter()
    let context = Make.context(ownThread: true)
    for _ in 0..<10 {
      let host = Make.hosted(in: context)
      let invite = Make.invite(of: host)
      let guests: @Sendable () -> Void = {
        let own = Make.context(ownThread: true)
        let guest = Make.opened(invite, in: own)
        for status in [unisono_session_join(guest.raw), unisono_session_get_state(guest.raw)] where !isExpected(status) {
          strange.add()
        }
        unisono_context_destroy(own.raw)
      }
      Threads.run([guests, guests, { unisono_session_join(host.raw) }, { unisono_session_destroy(host.raw) }])
    }
    unisono_context_destroy(context.raw)
    #expect(strange.value == 0)
  }

  /// What a callback that destroys needs: its context, and how often it came.
  final class Ender: @unchecked Sendable {
    var context = Handle(raw: nil)
    let calls = Counter()
    let released = Counter()
  }

  @Test("a callback destroys its context while two threads destroy it, too", arguments: [false, true])
  func insideCallback(ownThread: Bool) {
    for _ in 0..<40 {
      let ender = Ender()
      ender.context = Make.context(ownThread: ownThread, released: ender.released)
      let status = unisono_context_call_at(
        ender.context.raw, 0,
        { user, _ in
          guard let user else { return }
          let ender = Unmanaged<Ender>.fromOpaque(user).takeUnretainedValue()
          ender.calls.add()
          unisono_context_destroy(ender.context.raw)
        }, Unmanaged.passUnretained(ender).toOpaque(), nil)
      #expect(status == 0)
      Threads.run([
        { unisono_context_destroy(ender.context.raw) },
        { if !ownThread { while unisono_context_poll(ender.context.raw, -1) >= 0 {} } },
        { while unisono_context_wake(ender.context.raw) >= 0 {} },
      ])
      // The thread that ends itself says so last.
      let limit = unisono_host_time() + 10_000_000_000
      while ender.released.value == 0 && unisono_host_time() < limit {}
      #expect(ender.calls.value == 1)
      #expect(ender.released.value == 1)
    }
  }
}
