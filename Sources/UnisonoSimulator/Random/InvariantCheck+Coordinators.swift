import UnisonoBase
import UnisonoCoordination

/// Several coordinators of one session: each is judged as the first one is, and by what is noted of it alone.
extension InvariantCheck {
  var participants: [Participant] { coordinator.map { room.coordinators[$0]?.participants ?? [] } ?? room.participants }
  var written: [WrittenCell] { coordinator.map { room.coordinators[$0]?.written ?? [] } ?? room.written }
  var messageCount: Int { coordinator.map { room.coordinators[$0]?.messageCount ?? 0 } ?? room.messageCount }

  /// What befalls links and processes is for all of them.
  var actionTimes: [Nanoseconds] {
    coordinator.map { ((room.coordinators[$0]?.actionTimes ?? []) + room.actionTimes).sorted() } ?? room.actionTimes
  }

  /// Of the first coordinator and then of each named one.
  var all: [InvariantCheck] {
    [InvariantCheck(room: room, script: script)]
      + room.coordinators.keys.sorted().map { InvariantCheck(room: room, script: script, coordinator: $0) }
  }

  /// The longest that news from somebody take to anybody, ns: each of the two links may lose a packet.
  private func longestWay(from mover: Participant) -> Nanoseconds {
    mover.link.quality.longestUp + (room.participants.filter { $0.isRunning }.map { $0.link.quality.longestDown }.max() ?? 0)
  }

  /// (apart): what is done at one coordinator is told no host of another, and who hears of it is where it leads.
  func checkApart() {
    guard !room.coordinators.isEmpty else { return }
    for (number, check) in all.enumerated() { check.checkApart(place: Self.place + .seconds(1_000 * Int64(number))) }
  }

  /// No script goes there.
  private static let place = ItemTime.seconds(10_000)
  /// News of what was done are everywhere by then, unless links take longer.
  private static let spreading = Nanoseconds.seconds(3)
  /// Beside what links take: processes that are kept waiting, and what is overtaken.
  private static let handling = Nanoseconds.seconds(1)

  private func checkApart(place: ItemTime) {
    let mover = participants.lazy.map { Person(room: self.room, participant: $0) }.first { person in
      person.canAct && person.view.mayCommand && person.view.item != nil && !person.isSuspended && person.participant.player.reach == nil
        && person.participant.layer == nil
    }
    guard let mover, let item = mover.view.item else { return }
    // Its copy may be another cut.
    let place = mover.participant.read { $0.sharedTime(of: place, in: item) }
    mover.seek(to: mover.participant.read { $0.ownTime(of: place, in: item) })
    let since = room.now
    room.run(for: max(Self.spreading, longestWay(from: mover.participant) + Self.handling))
    for other in all where other.coordinator != coordinator {
      for participant in other.participants {
        for told in participant.player.commands where told.at >= since {
          let away = participant.read { $0.sharedTime(of: told.command.itemTime, in: told.command.item) } - place
          guard away.absolute < .seconds(10) else { continue }
          room.violate("apart", "\(participant.name) was told \(told.kind), which is what \(mover.name) did")
        }
      }
    }
    // Where copies end, so may the item.
    guard participants.allSatisfy({ $0.player.reach == nil }) else { return }
    for participant in participants where participant.isRunning {
      let view = participant.coordination.groupView
      guard view.item == item, view.suspensionReasons.isEmpty else { continue }
      let away = view.timing.line.position(at: participant.clock.host(at: room.now)) - place
      if away < -.seconds(10) || away > .seconds(60) {
        room.violate("apart", "\(participant.name) sees the group \(seconds(away)) from where \(mover.name) went")
      }
    }
  }
}
