import CUnisono
import Testing
import UnisonoCoordination

@testable import Unisono

@Suite("What hosts and people are told in words") struct MessageTests {
  @Test("F3: a command that is not answered in time is a warning that names it and says what to call")
  func overdue() throws {
    let context = Make.context(ownThread: false, eventQueue: true, logLevel: .UNISONO_LOG_WARNING)
    defer { unisono_context_destroy(context.raw) }
    let commands = Counter()
    let coordinator = Make.coordinator(in: context, commands: commands)
    let lines = try self.lines(
      of: context, after: .commandOverdue(OverdueCommand(id: 17, kind: .buffer, item: "film")),
      at: object(coordinator.raw, CoordinatorObject.self))
    #expect(lines.count == 1)
    #expect(commands.value == 0)
    #expect(lines.first?.level == .UNISONO_LOG_WARNING)
    for word in ["command 17", "buffer", "film", "unisono_coordinator_complete", "unisono_coordinator_fail"] {
      #expect(lines.first?.text.contains(word) == true, "\(word)")
    }
  }

  @Test("F20: of a player it is the renderer that owes the answer, and unisono_player_report the call")
  func overdueRenderer() throws {
    let context = Make.context(ownThread: false, eventQueue: true, logLevel: .UNISONO_LOG_WARNING)
    defer { unisono_context_destroy(context.raw) }
    var player: OpaquePointer?
    #expect(unisono_player_create(context.raw, nil, nil, nil, nil, &player) == 0)
    let lines = try self.lines(
      of: context, after: .commandOverdue(OverdueCommand(id: 1, kind: .seek, item: "film")),
      at: object(player, PlayerObject.self).coordinator)
    #expect(lines.map(\.level) == [.UNISONO_LOG_WARNING])
    #expect(lines.first?.text.contains("unisono_player_report") == true)
    #expect(lines.first?.text.contains("unisono_coordinator_complete") == false)
  }

  /// Lines that come of an effect on the coordinator.
  private func lines(
    of context: Handle, after effect: PlaybackEffect, at coordinator: CoordinatorObject
  ) throws -> [(level: unisono_log_level, text: String)] {
    try object(context.raw, ContextObject.self).submit { coordinator.carryOut(effect) }
    var lines: [(level: unisono_log_level, text: String)] = []
    var event: UnsafePointer<unisono_context_event>?
    while unisono_context_next_event(context.raw, 0, &event) > 0 {
      guard let line = unisono_event_log(event)?.pointee else { continue }
      lines.append((line.level, String(cString: line.message)))
    }
    return lines
  }

  @Test(
    "F14 F35: a notice is a sentence",
    arguments: [
      (NoticeSentence(kind: .played, name: "Ann"), "Ann pressed play"),
      (NoticeSentence(kind: .paused), "Somebody paused"),
      (NoticeSentence(kind: .paused, name: ""), "Somebody paused"),
      (NoticeSentence(kind: .skipped, name: "Ann", itemTime: .seconds(3_723)), "Ann sought to 1:02:03"),
      (NoticeSentence(kind: .skipped, name: "Ann", itemTime: .seconds(63) - 1), "Ann sought to 1:02"),
      (NoticeSentence(kind: .skipped, name: "Ann", itemTime: 0), "Ann sought to 0:00"),
      // The date of a live item is no place on a clock.
      (
        NoticeSentence(kind: .skipped, name: "Ann", amount: .seconds(-15), itemTime: 1_700_000_000_000_000_000),
        "Ann skipped 15 s back"
      ),
      (NoticeSentence(kind: .skipped, name: "Ann", amount: .milliseconds(14_600)), "Ann skipped 15 s"),
      (NoticeSentence(kind: .skipped, name: "Ann", amount: .min, itemTime: -1), "Ann skipped 9223372036 s back"),
      (NoticeSentence(kind: .rateChanged, name: "Ann", rate: 1.5), "Ann set the speed to 1.5×"),
      (NoticeSentence(kind: .rateChanged, name: "Ann", rate: -2), "Ann set the speed to -2×"),
      (NoticeSentence(kind: .rateChanged, name: "Ann", rate: 1.0625), "Ann set the speed to 1.06×"),
      (NoticeSentence(kind: .itemChanged, name: "Ann"), "Ann went to another item"),
      (NoticeSentence(kind: .queueChanged, name: "Ann"), "Ann changed the queue"),
      (NoticeSentence(kind: .leftWaiting, name: "Ann"), "Gone on without Ann"),
      (NoticeSentence(kind: .joined, name: "Ann"), "Ann joined"),
      (NoticeSentence(kind: .left, name: "Ann"), "Ann left"),
      (NoticeSentence(kind: .waitedFor, name: "Ann"), "Waiting for Ann"),
      (NoticeSentence(kind: .present, name: "Ann"), "Ann is here"),
      (NoticeSentence(kind: .elsewhere, name: "Ann", message: "film\n2"), "Ann is at another item: film\u{FFFD}2"),
      (NoticeSentence(kind: .rangeSkipped, itemTime: .seconds(100), message: "intro"), "The intro was skipped, to 1:40"),
      (NoticeSentence(kind: .rangeSkipped, message: "credits"), "The credits were skipped"),
      (NoticeSentence(kind: .rangeSkipped, message: "other"), "A part was skipped"),
      (NoticeSentence(kind: .elsewhere), "Somebody is at another item"),
      (NoticeSentence(kind: .waitedFor, name: "Ann", message: "stall-recovery"), "Waiting for Ann (stall-recovery)"),
      (NoticeSentence(kind: .custom, name: "Ann", message: "popcorn!"), "Ann: popcorn!"),
      (NoticeSentence(kind: .custom, name: "Ann"), "Ann shows something"),
      // What others wrote does not steer the terminal, nor turn the rest of the line around.
      (NoticeSentence(kind: .custom, name: "A\u{1B}[2Jnn", message: "a\nb\u{202E}c\u{2028}d"), "A\u{FFFD}[2Jnn: a\u{FFFD}b\u{FFFD}c\u{FFFD}d"),
      (NoticeSentence(kind: .left, name: "👩‍👩‍👧 ä"), "👩‍👩‍👧 ä left"),
    ])
  func sentences(_ sentence: NoticeSentence, _ text: String) { #expect(sentence.text == text) }
}
