import UnisonoBase
import UnisonoCoordination

/// A message that waits for a place of an item.
package struct CueSaying: Hashable, Sendable {
  /// Another one for each of a run.
  var number: UInt64
  var item: ItemID
  var itemTime: ItemTime
}

/// A participant's messages that wait for their place, and what came of them at its host.
struct CueHost {
  /// What came to this participant, and what became of it.
  struct Arrival {
    var saying: CueSaying
    /// How far the own playback was from its place when it was handed over, ns, ahead of it above 0; nil: it still waits.
    var told: [Nanoseconds] = []
    /// There was no room for it, which the host is told.
    var isDropped = false
    /// The own playback ran past its place since it came.
    var isPassed = false
  }

  private var cues = CuedMessages<CueSaying>()
  var arrivals: [Arrival] = []
  /// Where the own playback was looked at last.
  private var seen: (playback: OwnPlayback, position: ItemTime)?

  var nextWake: HostTime? { cues.nextWake }

  private static func position(_ playback: OwnPlayback, _ now: HostTime) -> ItemTime {
    playback.line.position(at: max(now, playback.line.since))
  }

  /// Another one's message came.
  mutating func receive(_ saying: CueSaying, from sender: ParticipantID, now: HostTime) {
    let message = CuedMessages<CueSaying>.Message(
      sender: sender, item: saying.item, itemTime: saying.itemTime, content: saying, size: 100, arrived: now)
    let hasRoom = cues.hasRoom(for: message)
    pass(now)
    arrivals.append(Arrival(saying: saying, isDropped: !hasRoom))
    if hasRoom { deliver(cues.add(message, now: now), now) }
  }

  /// Whether this participant may send one more; it counts its own by its own playback.
  mutating func send(_ saying: CueSaying, as id: ParticipantID, now: HostTime) -> Bool {
    let own = CuedMessages<CueSaying>.Message(
      sender: id, item: saying.item, itemTime: saying.itemTime, content: nil, size: 0, arrived: now)
    guard cues.hasRoom(for: own) else { return false }
    pass(now)
    deliver(cues.add(own, now: now), now)
    return true
  }

  /// Where the own playback is and goes by now.
  mutating func follow(_ playback: OwnPlayback?, now: HostTime) {
    pass(now)
    deliver(cues.follow(playback, now: now), now, next: playback)
    seen = playback.map { ($0, Self.position($0, now)) }
  }

  /// What lies between where the playback was and where it is by the same line was passed.
  private mutating func pass(_ now: HostTime) {
    guard let (playback, from) = seen else { return }
    let to = Self.position(playback, now)
    seen?.position = to
    guard from != to else { return }
    for index in arrivals.indices where arrivals[index].saying.item == playback.item && !arrivals[index].isPassed {
      let place = arrivals[index].saying.itemTime
      if from < to ? from < place && place <= to : to <= place && place < from { arrivals[index].isPassed = true }
    }
  }

  private mutating func deliver(_ messages: [CuedMessages<CueSaying>.Message], _ now: HostTime, next: OwnPlayback? = nil) {
    for message in messages {
      guard let saying = message.content, let index = arrivals.lastIndex(where: { $0.saying == saying }) else { continue }
      // Of the line that ends now and the one that begins, that which is nearer to having passed it.
      let ahead = [seen?.playback, next].compactMap { $0 }.filter { $0.item == saying.item }.map { playback in
        let way = saying.itemTime.subtracting(Self.position(playback, now))
        return playback.line.rate < 0 ? -way : way
      }
      arrivals[index].told.append(ahead.min() ?? .max)
    }
  }
}

/// Messages that people send to a place of an item.
extension SimulatedSession {
  /// From now on all can send and get these.
  func opensCues() {
    for participant in participants where participant.cues == nil { participant.cues = CueHost() }
  }

  func hearCue(_ saying: CueSaying, from sender: ParticipantID, at participant: Participant) {
    participant.cues?.receive(saying, from: sender, now: participant.clock.host(at: now))
  }

  func settleCues(of participant: Participant) {
    guard participant.cues != nil else { return }
    participant.cues?.follow(participant.read { $0.playback }, now: participant.clock.host(at: now))
  }
}

extension Person {
  /// Sends something to a place of an item, to all others.
  package func sends(_ number: UInt64, to item: ItemID, at place: ItemTime) {
    let saying = CueSaying(number: number, item: item, itemTime: place)
    guard participant.takesPart, participant.cues?.send(saying, as: id, now: participant.clock.host(at: room.now)) == true else { return }
    room.send(.cue(saying), from: participant, to: nil)
    room.settleSide(participant)
  }

  /// Numbers of the messages that its host got at their place, in their order.
  package var cuesTold: [UInt64] { participant.cues?.arrivals.filter { !$0.told.isEmpty }.map { $0.saying.number } ?? [] }
}
