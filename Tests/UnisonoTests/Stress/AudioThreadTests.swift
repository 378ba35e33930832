import CUnisono
import Testing

/// What an audio thread may call. Says most under the thread sanitizer, which `make test-sanitizers` runs it with; that it takes
/// under 200 ns and allocates nothing is measured and judged by `make bench-time`.
@Suite("Threads: an audio thread reads where the item should be", .serialized)
struct AudioThreadTests {
  /// Seeks go to whole multiples of it: a position put together from two lines is far from all of them.
  private static let grid = Int64(1_000_000_000_000)
  private static let slack = Int64(400_000_000_000)

  @Test("F60: two of them read while seeks, pauses and rates change it: every answer is of one line, none is torn")
  func reading() {
    let commands = Counter()
    let done = Counter()
    let answers = Counter()
    let strange = Counter()
    let context = Make.context(ownThread: true)
    let coordinator = Make.coordinator(in: context, commands: commands)
    _ = unisono_coordinator_transition_to_item(coordinator.raw, "film", nil)
    _ = unisono_coordinator_coordinate_rate_change(coordinator.raw, 1, 0)
    let first = commands.exceeds(0)
    #expect(first)
    let audio: @Sendable () -> Void = {
      while done.value == 0 {
        for _ in 0..<64 {
          var position = Int64(-1)
          let status = unisono_coordinator_expected_item_time(coordinator.raw, unisono_host_time(), &position)
          guard status == unisono_status.UNISONO_OK.rawValue else { continue }
          let rest = position % Self.grid
          if position < -Self.slack || (rest > Self.slack && rest < Self.grid - Self.slack) { strange.add() }
        }
        answers.add()
      }
    }
    let person: @Sendable () -> Void = {
      for round in 1...100 {
        let before = commands.value
        _ = unisono_coordinator_coordinate_seek(coordinator.raw, Int64(round) * Self.grid, 1)
        if round % 3 == 0 { _ = unisono_coordinator_coordinate_rate_change(coordinator.raw, round % 2 == 0 ? 1 : 2, 0) }
        if !commands.exceeds(before) { strange.add() }
      }
      // Not before the readers had their turn, however few processors there are.
      if !answers.exceeds(100) { strange.add() }
      done.add()
    }
    Threads.run([audio, audio, person])
    #expect(strange.value == 0)
    unisono_context_destroy(context.raw)
    var position = Int64(0)
    let status = unisono_coordinator_expected_item_time(coordinator.raw, 0, &position)
    #expect(status == unisono_status.UNISONO_ECLOSED.rawValue)
  }
}
