import CUnisono
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

/// Messages, notices, asking to the front, speaking.
extension SessionObject {
  func send(
    _ data: UnsafeRawPointer?, _ length: Int, label: MessageLabel? = nil, at cue: MessageCue? = nil,
    _ delivery: unisono_delivery, _ to: UnsafePointer<unisono_participant_id>?, _ count: Int
  ) throws(Failure) {
    // Sizes above Int.max arrive negative.
    guard length >= 0, length <= WireLimits.applicationMessage else {
      throw Failure(.UNISONO_ETOOBIG, "a message has at most \(WireLimits.applicationMessage) bytes; send it in parts")
    }
    let bytes = try InputText.bytes(data, count: length, atMost: WireLimits.applicationMessage, "data")
    guard (0...1).contains(delivery.rawValue) else {
      throw Failure(.UNISONO_EINVAL, "delivery is \(delivery.rawValue), which is no unisono_delivery")
    }
    let receivers = try receivers(to, count)
    try requireJoined()
    guard outgoing.reserve(length) else {
      throw Failure(
        .UNISONO_EBUSY, "\(OutgoingBudget.limit) bytes wait to be sent; wait for WRITABLE and send again")
    }
    do throws(Failure) {
      try submit {
        if let cue { return $0.send(bytes, label: label, at: cue, to: receivers) }
        $0.send(bytes, label: label, isReliable: delivery == .UNISONO_DELIVERY_RELIABLE, to: receivers)
      }
    } catch {
      outgoing.giveBack(length)
      throw error
    }
  }

  /// nil: everybody.
  private func receivers(
    _ to: UnsafePointer<unisono_participant_id>?, _ count: Int
  ) throws(Failure) -> [ParticipantID]? {
    guard count != 0 else { return nil }
    guard count > 0, count <= WireLimits.participants else {
      throw Failure(.UNISONO_EINVAL, "to_count is more than \(WireLimits.participants); use 0 for all others")
    }
    guard let to else { throw Failure(.UNISONO_EINVAL, "to is NULL, but to_count is \(count)") }
    // Who is connecting takes no part yet.
    let known = Set(snapshot.view.participants.filter { $0.isLocal || $0.connection != .connecting }.map(\.id))
    var found: Set<ParticipantID> = []
    for index in 0..<count {
      let id = ParticipantID(to[index])
      guard known.contains(id) else {
        throw Failure(.UNISONO_ENOTFOUND, "to[\(index)] is no participant of this session; it may have left")
      }
      if id != localID { found.insert(id) }
    }
    return found.sorted()
  }

  func post(_ pointer: UnsafePointer<unisono_notice>?) throws(Failure) {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "notice is NULL") }
    let notice = try copiedNotice(pointer)
    try requireJoined()
    try noticeRate.spend(now: context.now)
    try submit { $0.post(notice) }
  }

  func requestForeground() throws(Failure) {
    try requireJoined()
    try foregroundRate.spend(now: context.now)
    try submit { $0.requestForeground() }
  }

  func setSpeaking(_ speaking: Bool) throws(Failure) {
    try requireJoined()
    try submit { $0.setSpeaking(speaking) }
  }

  func scheduleStart(of item: ItemID, at time: HostTime, calendarTime: Int64?) throws(Failure) {
    guard time >= context.now else {
      throw Failure(.UNISONO_EINVAL, "host_time is past, or no time; it is a time of unisono_host_time() that is still to come")
    }
    guard time.subtracting(context.now) <= Law.scheduleLimit else {
      throw Failure(.UNISONO_EINVAL, "host_time is more than 7 days ahead")
    }
    try requireJoined()
    try submit { $0.handle(.scheduleStart(of: item, at: time, calendarTime: calendarTime)) }
  }

  func cancelStart() throws(Failure) {
    try requireJoined()
    try submit { $0.handle(.cancelStart) }
  }

  // MARK: Events for the host, on the loop

  func deliverSchedule(_ change: ScheduleChange) {
    deliver(.schedule(origin, change), .other, to: bound(callbacks?.schedule))
  }

  func deliverMessage(_ bytes: [UInt8], label: MessageLabel?, cue: MessageCue?, sender: ParticipantID, isReliable: Bool) {
    deliver(
      .message(
        origin, bytes, label: label, cue: cue, sender: sender, isReliable ? .UNISONO_DELIVERY_RELIABLE : .UNISONO_DELIVERY_UNRELIABLE),
      .message, to: bound(callbacks?.message))
  }

  func deliverNotice(_ notice: NoticeMessage, originator: ParticipantID, coordinator: CoordinatorName?) {
    deliver(
      .notice(origin, notice, originator: originator, name: displayName(of: originator), coordinator: coordinator), .other,
      to: bound(callbacks?.notice))
  }

  func deliverNews(_ news: PersonNotice) {
    deliver(.notice(origin, news), .other, to: bound(callbacks?.notice))
  }

  func deliverForeground(_ id: ParticipantID) {
    deliver(
      .participant(origin, .UNISONO_EVENT_SESSION_FOREGROUND, id, isActive: true, inBackground: inBackground), .other,
      to: bound(callbacks?.foreground_requested))
  }

  func deliverSpeaking(_ id: ParticipantID, _ speaks: Bool) {
    deliver(
      .participant(origin, .UNISONO_EVENT_SESSION_SPEAKING, id, isActive: speaks), .other,
      to: bound(callbacks?.speaking))
  }

  func deliverIgnored(_ ignored: Ignored) {
    deliver(.ignored(origin, ignored), .other, to: bound(callbacks?.ignored))
  }

  func deliverClockDoubt(_ doubt: ClockDoubtNews) {
    deliver(.clockDoubt(origin, doubt), .other, to: bound(callbacks?.clock_doubt))
  }

  func deliverSplit(_ split: SplitNews) {
    deliver(.split(origin, split), .other, to: bound(callbacks?.split))
  }

  func deliverHubDoubt(_ doubt: HubDoubtNews) {
    deliver(.hubDoubt(origin, doubt), .other, to: bound(callbacks?.hub_doubt))
  }

  func deliverWritable() {
    deliver(.plain(origin, .UNISONO_EVENT_SESSION_WRITABLE), .state, to: bound(callbacks?.writable))
  }
}
