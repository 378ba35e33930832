import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What travels beside the messages of coordinations.
enum SideSaying {
  case chat(ChatSaying)
  case attachment(AttachmentSaying)
  case cue(CueSaying)
}

/// One participant's side of what travels beside the messages of coordinations.
struct SideLane {
  /// When the last one of each direction arrives: later ones do not overtake it.
  var lastUp: Nanoseconds = 0
  var lastDown: Nanoseconds = 0
  /// Whether each direction of its path is in a burst.
  var isUpBad = false
  var isDownBad = false
  /// True time of the wake-up that is scheduled.
  var wakesAt: Nanoseconds?
}

/// The chat and pieces of attachments on their way: by the hubs and links that messages take, but with chance of their own, so that
/// nothing else of a seed depends on what is said.
extension SimulatedSession {
  func send(_ saying: SideSaying, from participant: Participant, to: ParticipantID?) {
    let hub = participant.link.hub
    guard let connection = participant.link.connection, hubs[hub].carries(connection), participant.link.isSecured else { return }
    at(sideArrivalUp(participant)) { room in
      guard room.hubs[hub].carries(connection) else { return }
      for other in room.participants where other.id != participant.id && (to == nil || to == other.id) {
        guard let entry = room.hubs[hub].members[other.id], room.hubs[hub].carries(entry.connection) else { continue }
        room.at(room.sideArrivalDown(other)) { room in
          guard room.hubs[hub].carries(entry.connection) else { return }
          room.hear(saying, from: participant.id, at: other)
        }
      }
    }
  }

  private func sideArrivalUp(_ participant: Participant) -> Nanoseconds {
    let quality = participant.link.quality
    let drawn = quality.path.map { $0.up.draw(&sideGenerator, isBad: &participant.lane.isUpBad) ?? $0.retransmission }
    let travel = drawn ?? quality.up + sideGenerator.number(in: 0...quality.jitter)
    participant.lane.lastUp = max(participant.lane.lastUp, max(now, participant.link.stalledUntil) + travel)
    return participant.lane.lastUp
  }

  private func sideArrivalDown(_ participant: Participant) -> Nanoseconds {
    let quality = participant.link.quality
    let drawn = quality.path.map { $0.down.draw(&sideGenerator, isBad: &participant.lane.isDownBad) ?? $0.retransmission }
    let travel = drawn ?? quality.down + sideGenerator.number(in: 0...quality.jitter)
    participant.lane.lastDown = max(participant.lane.lastDown, max(now, participant.link.stalledUntil) + travel)
    return participant.lane.lastDown
  }

  /// It arrived. A process that stands still reads it when it goes on; who has no keys cannot read it.
  private func hear(_ saying: SideSaying, from sender: ParticipantID, at participant: Participant) {
    guard participant.isRunning, participant.link.isSecured else { return }
    guard now >= participant.stoppedUntil else {
      return at(participant.stoppedUntil) { $0.hear(saying, from: sender, at: participant) }
    }
    guard participant.takesPart else { return }
    eventCount += 1
    switch saying {
    case .chat(let saying): hearChat(saying, from: sender, at: participant)
    case .attachment(let saying): hearAttachment(saying, from: sender, at: participant)
    case .cue(let saying): hearCue(saying, from: sender, at: participant)
    }
    settleSide(participant)
  }

  /// A participant read this event of its coordination's.
  func followSide(_ event: CoordinationEvent, at participant: Participant) {
    participant.sight.take(event)
    let host = participant.clock.host(at: now)
    switch event {
    case .secured:
      participant.chat?.isEntering = true
      participant.files?.attachments.entered(now: host)
    case .presence: participant.chat?.chat.presenceChanged(now: host)
    default: break
    }
  }

  /// Lets a participant's chat, attachments and messages that wait for a place do what is due.
  func settleSide(_ participant: Participant) {
    guard participant.chat != nil || participant.files != nil || participant.cues != nil, participant.isRunning,
      now >= participant.stoppedUntil, participant.takesPart || participant.cues != nil
    else { return }
    let host = participant.clock.host(at: now)
    // The own playback goes on without others, too.
    settleCues(of: participant)
    var wakes = [participant.cues?.nextWake].compactMap { $0 }
    if participant.takesPart {
      settleChat(of: participant)
      settleAttachments(of: participant)
      wakes += [participant.chat?.chat.nextWake, participant.files?.attachments.nextWake(now: host)].compactMap { $0 }
    }
    guard let wake = wakes.min() else {
      participant.lane.wakesAt = nil
      return
    }
    // Timers are late by up to a millisecond and a half, here as well.
    let due = max(now, participant.clock.time(at: wake)).adding(sideGenerator.number(in: .microseconds(100)...(.microseconds(1_500))))
    if let planned = participant.lane.wakesAt, planned <= due { return }
    wakeSide(participant, at: due)
  }

  private func wakeSide(_ participant: Participant, at time: Nanoseconds) {
    participant.lane.wakesAt = time
    at(time) { room in
      guard participant.lane.wakesAt == time else { return }
      if room.now < participant.stoppedUntil { return room.wakeSide(participant, at: participant.stoppedUntil) }
      participant.lane.wakesAt = nil
      room.settleSide(participant)
    }
  }
}

extension Participant {
  /// It has joined, and can read and be read.
  var takesPart: Bool { sight.isSecured && link.isSecured && !history.joined.isEmpty }
}
