import CUnisono
import UnisonoCoordination

@_cdecl("unisono_coordinator_create") @implementation
public func unisono_coordinator_create(
  _ context: OpaquePointer!, _ delegate: UnsafePointer<unisono_playback_delegate>!, _ user: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_coordinator_create") { () throws(Failure) in
    let context = try object(context, ContextObject.self)
    let out = try cleared(out)
    out.pointee = try CoordinatorObject.create(in: context, delegate, user: user).token.pointer
    return 0
  }
}

@_cdecl("unisono_coordinator_destroy") @implementation
public func unisono_coordinator_destroy(_ coordinator: OpaquePointer!) {
  guard let coordinator = objectToDestroy(coordinator, CoordinatorObject.self, "unisono_coordinator_destroy") else {
    return
  }
  guard !coordinator.isPlayers else {
    return coordinator.context.log(
      .error, "unisono_coordinator_destroy: this coordinator is a player's; destroy the player")
  }
  coordinator.destroy()
}

@_cdecl("unisono_coordinator_coordinate_with_session") @implementation
public func unisono_coordinator_coordinate_with_session(
  _ coordinator: OpaquePointer!, _ session: OpaquePointer!
) -> Int32 {
  call("unisono_coordinator_coordinate_with_session") { () throws(Failure) in
    let coordinator = try object(coordinator, CoordinatorObject.self)
    let session: SessionObject? = session == nil ? nil : try object(session, SessionObject.self)
    try coordinator.coordinate(with: session, as: nil)
    return 0
  }
}

@_cdecl("unisono_coordinator_coordinate_with_session_as") @implementation
public func unisono_coordinator_coordinate_with_session_as(
  _ coordinator: OpaquePointer!, _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> Int32 {
  call("unisono_coordinator_coordinate_with_session_as") { () throws(Failure) in
    let coordinator = try object(coordinator, CoordinatorObject.self)
    let session: SessionObject? = session == nil ? nil : try object(session, SessionObject.self)
    try coordinator.coordinate(with: session, as: name)
    return 0
  }
}

@_cdecl("unisono_coordinator_transition_to_item") @implementation
public func unisono_coordinator_transition_to_item(
  _ coordinator: OpaquePointer!, _ identifier: UnsafePointer<CChar>!, _ proposal: UnsafePointer<unisono_timing>!
) -> Int32 {
  call("unisono_coordinator_transition_to_item") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).transition(identifier, proposal)
    return 0
  }
}

@_cdecl("unisono_coordinator_current_item") @implementation
public func unisono_coordinator_current_item(
  _ coordinator: OpaquePointer!, _ buffer: UnsafeMutablePointer<CChar>!, _ length: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_coordinator_current_item") { () throws(Failure) in
    try fill(buffer, length, with: try object(coordinator, CoordinatorObject.self).view.item?.utf8 ?? [])
    return 0
  }
}

@_cdecl("unisono_coordinator_coordinate_rate_change") @implementation
public func unisono_coordinator_coordinate_rate_change(
  _ coordinator: OpaquePointer!, _ rate: Double, _ options: UInt32
) -> Int32 {
  call("unisono_coordinator_coordinate_rate_change") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).changeRate(rate, options: options)
    return 0
  }
}

@_cdecl("unisono_coordinator_undo_jump") @implementation
public func unisono_coordinator_undo_jump(_ coordinator: OpaquePointer!) -> Int32 {
  call("unisono_coordinator_undo_jump") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).undoJump()
    return 0
  }
}

@_cdecl("unisono_coordinator_coordinate_seek") @implementation
public func unisono_coordinator_coordinate_seek(
  _ coordinator: OpaquePointer!, _ item_time: Int64, _ options: UInt32
) -> Int32 {
  call("unisono_coordinator_coordinate_seek") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).seek(item_time, options: options)
    return 0
  }
}

@_cdecl("unisono_coordinator_complete") @implementation
public func unisono_coordinator_complete(_ coordinator: OpaquePointer!, _ command_id: UInt64) -> Int32 {
  call("unisono_coordinator_complete") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).complete(command_id)
    return 0
  }
}

@_cdecl("unisono_coordinator_fail") @implementation
public func unisono_coordinator_fail(_ coordinator: OpaquePointer!, _ command_id: UInt64, _ status: Int32) -> Int32 {
  call("unisono_coordinator_fail") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).fail(command_id, status: status)
    return 0
  }
}

@_cdecl("unisono_coordinator_expect_motion") @implementation
public func unisono_coordinator_expect_motion(
  _ coordinator: OpaquePointer!, _ motion: unisono_motion, _ value: Double
) -> Int32 {
  call("unisono_coordinator_expect_motion") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).expect(motion, value)
    return 0
  }
}

@_cdecl("unisono_coordinator_is_wish") @implementation
public func unisono_coordinator_is_wish(
  _ coordinator: OpaquePointer!, _ motion: unisono_motion, _ value: Double
) -> Int32 {
  call("unisono_coordinator_is_wish") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).isWish(motion, value) ? 1 : 0
  }
}

@_cdecl("unisono_coordinator_reapply_current_item_state") @implementation
public func unisono_coordinator_reapply_current_item_state(_ coordinator: OpaquePointer!) -> Int32 {
  call("unisono_coordinator_reapply_current_item_state") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).reapply()
    return 0
  }
}

@_cdecl("unisono_coordinator_expected_item_time") @implementation
public func unisono_coordinator_expected_item_time(
  _ coordinator: OpaquePointer!, _ host_time: Int64, _ out: UnsafeMutablePointer<Int64>!
) -> Int32 {
  let read = realtimeTiming(coordinator)
  guard read.status == 0 || read.status == unisono_status.UNISONO_ESTATE.rawValue else { return read.status }
  guard let out else { return unisono_status.UNISONO_EINVAL.rawValue }
  // A time that is not known has no position.
  guard host_time != .min else {
    out.pointee = .min
    return unisono_status.UNISONO_EINVAL.rawValue
  }
  out.pointee = read.status == 0 ? read.timing.expectedItemTime(at: host_time) : .min
  return read.status
}

@_cdecl("unisono_coordinator_timing") @implementation
public func unisono_coordinator_timing(
  _ coordinator: OpaquePointer!, _ out: UnsafeMutablePointer<unisono_timing>!
) -> Int32 {
  let read = realtimeTiming(coordinator)
  guard read.status == 0 || read.status == unisono_status.UNISONO_ESTATE.rawValue else { return read.status }
  if let failed = writtenStatus(read.timing.reported, to: out) { return failed.rawValue }
  return read.status
}

/// The timing of a live coordinator; ESTATE: it has none.
private func realtimeTiming(_ coordinator: OpaquePointer?) -> (timing: PublishedTiming, status: Int32) {
  let found = RealtimeSlots.shared.find(coordinator, .coordinator)
  guard let slot = found.slot else { return (PublishedTiming(), found.status) }
  let timing = PublishedTiming(words: slot.pointee.latch.read())
  // The slot may have been given to another object meanwhile.
  guard slot.pointee.token.load(ordering: .acquiring) == UInt(bitPattern: coordinator) else {
    return (PublishedTiming(), unisono_status.UNISONO_ECLOSED.rawValue)
  }
  return (timing, timing.status == .none ? unisono_status.UNISONO_ESTATE.rawValue : 0)
}

@_cdecl("unisono_coordinator_begin_suspension") @implementation
public func unisono_coordinator_begin_suspension(
  _ coordinator: OpaquePointer!, _ reason: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_coordinator_begin_suspension") { () throws(Failure) in
    let coordinator = try object(coordinator, CoordinatorObject.self)
    let out = try cleared(out)
    out.pointee = try SuspensionObject.begin(coordinator, reason).token.pointer
    return 0
  }
}

@_cdecl("unisono_coordinator_suspension_reasons") @implementation
public func unisono_coordinator_suspension_reasons(
  _ coordinator: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<UnsafePointer<CChar>?>?>!,
  _ count: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_coordinator_suspension_reasons") { () throws(Failure) in
    let reasons = try object(coordinator, CoordinatorObject.self).view.suspensionReasons
    try giveList(owned, count, reasons.count) { $0.texts(reasons) }
    return 0
  }
}

@_cdecl("unisono_coordinator_set_waiting_reasons") @implementation
public func unisono_coordinator_set_waiting_reasons(
  _ coordinator: OpaquePointer!, _ reasons: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int
) -> Int32 {
  call("unisono_coordinator_set_waiting_reasons") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setWaitingReasons(reasons, count: count)
    return 0
  }
}

@_cdecl("unisono_coordinator_set_participant_limit") @implementation
public func unisono_coordinator_set_participant_limit(
  _ coordinator: OpaquePointer!, _ reason: UnsafePointer<CChar>!, _ limit: UInt32
) -> Int32 {
  call("unisono_coordinator_set_participant_limit") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setParticipantLimit(reason, limit)
    return 0
  }
}

@_cdecl("unisono_coordinator_set_prepares_ahead") @implementation
public func unisono_coordinator_set_prepares_ahead(_ coordinator: OpaquePointer!, _ prepares: Int32) -> Int32 {
  call("unisono_coordinator_set_prepares_ahead") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).submit(.setPreparesAhead(prepares != 0))
    return 0
  }
}

@_cdecl("unisono_coordinator_set_pause_snaps_to_originator") @implementation
public func unisono_coordinator_set_pause_snaps_to_originator(_ coordinator: OpaquePointer!, _ snaps: Int32) -> Int32 {
  call("unisono_coordinator_set_pause_snaps_to_originator") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).submit(.setPauseSnaps(snaps != 0))
    return 0
  }
}

@_cdecl("unisono_coordinator_set_wait_limit") @implementation
public func unisono_coordinator_set_wait_limit(_ coordinator: OpaquePointer!, _ limit: Int64) -> Int32 {
  call("unisono_coordinator_set_wait_limit") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setWaitLimit(limit)
    return 0
  }
}

@_cdecl("unisono_coordinator_set_stall_policy") @implementation
public func unisono_coordinator_set_stall_policy(
  _ coordinator: OpaquePointer!, _ policy: UnsafePointer<unisono_stall_policy>!
) -> Int32 {
  call("unisono_coordinator_set_stall_policy") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setStallPolicy(policy)
    return 0
  }
}

@_cdecl("unisono_coordinator_set_action_at_end") @implementation
public func unisono_coordinator_set_action_at_end(
  _ coordinator: OpaquePointer!, _ action: unisono_action_at_end
) -> Int32 {
  call("unisono_coordinator_set_action_at_end") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setActionAtEnd(action)
    return 0
  }
}

@_cdecl("unisono_coordinator_action_at_end") @implementation
public func unisono_coordinator_action_at_end(_ coordinator: OpaquePointer!) -> Int32 {
  call("unisono_coordinator_action_at_end") { () throws(Failure) in
    Int32(try object(coordinator, CoordinatorObject.self).view.actionAtEnd.rawValue)
  }
}

@_cdecl("unisono_coordinator_set_skipped_ranges") @implementation
public func unisono_coordinator_set_skipped_ranges(_ coordinator: OpaquePointer!, _ kinds: UInt32) -> Int32 {
  call("unisono_coordinator_set_skipped_ranges") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setSkippedRanges(kinds)
    return 0
  }
}

@_cdecl("unisono_coordinator_set_interstitials") @implementation
public func unisono_coordinator_set_interstitials(
  _ coordinator: OpaquePointer!, _ identifier: UnsafePointer<CChar>!, _ ranges: UnsafePointer<unisono_interstitial>!, _ count: Int
) -> Int32 {
  call("unisono_coordinator_set_interstitials") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setInterstitials(of: identifier, ranges, count: count)
    return 0
  }
}

@_cdecl("unisono_coordinator_skipped_ranges") @implementation
public func unisono_coordinator_skipped_ranges(_ coordinator: OpaquePointer!) -> Int32 {
  call("unisono_coordinator_skipped_ranges") { () throws(Failure) in
    Int32(try object(coordinator, CoordinatorObject.self).view.skipPolicy.kinds)
  }
}

@_cdecl("unisono_coordinator_set_start_policy") @implementation
public func unisono_coordinator_set_start_policy(
  _ coordinator: OpaquePointer!, _ policy: UnsafePointer<unisono_start_policy>!
) -> Int32 {
  call("unisono_coordinator_set_start_policy") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setStartPolicy(policy)
    return 0
  }
}

@_cdecl("unisono_coordinator_get_start_policy") @implementation
public func unisono_coordinator_get_start_policy(
  _ coordinator: OpaquePointer!, _ out: UnsafeMutablePointer<unisono_start_policy>!
) -> Int32 {
  call("unisono_coordinator_get_start_policy") { () throws(Failure) in
    let policy = try object(coordinator, CoordinatorObject.self).view.startPolicy
    var body = unisono_start_policy()
    body.start = unisono_start_rule(rawValue: Int32(policy.waiting.rawValue)) ?? .UNISONO_START_AT_ONCE
    body.limit = policy.limit
    body.leaving = unisono_leaving_rule(rawValue: Int32(policy.leaving.rawValue)) ?? .UNISONO_LEAVING_GO_ON
    try write(body, to: out, "out")
    return 0
  }
}

@_cdecl("unisono_coordinator_set_ready") @implementation
public func unisono_coordinator_set_ready(_ coordinator: OpaquePointer!, _ readiness: unisono_readiness) -> Int32 {
  call("unisono_coordinator_set_ready") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setReady(readiness)
    return 0
  }
}

@_cdecl("unisono_coordinator_start_without") @implementation
public func unisono_coordinator_start_without(
  _ coordinator: OpaquePointer!, _ participants: UnsafePointer<unisono_participant_id>!, _ count: Int
) -> Int32 {
  call("unisono_coordinator_start_without") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).startWithout(participants, count: count)
    return 0
  }
}

@_cdecl("unisono_coordinator_set_output_offset") @implementation
public func unisono_coordinator_set_output_offset(_ coordinator: OpaquePointer!, _ offset: Int64) -> Int32 {
  call("unisono_coordinator_set_output_offset") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).setOutputOffset(offset)
    return 0
  }
}

@_cdecl("unisono_coordinator_report") @implementation
public func unisono_coordinator_report(
  _ coordinator: OpaquePointer!, _ report: UnsafePointer<unisono_playback_report>!
) -> Int32 {
  call("unisono_coordinator_report") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).report(report)
    return 0
  }
}

@_cdecl("unisono_coordinator_other_participants") @implementation
public func unisono_coordinator_other_participants(
  _ coordinator: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<unisono_participants>?>!
) -> Int32 {
  call("unisono_coordinator_other_participants") { () throws(Failure) in
    let coordinator = try object(coordinator, CoordinatorObject.self)
    guard let owned else {
      throw Failure(.UNISONO_EINVAL, "owned is NULL; give the address of a variable for the list")
    }
    owned.pointee = ownedParticipants(coordinator.others(coordinator.view.participants))
    return 0
  }
}

@_cdecl("unisono_coordinator_waiting_for") @implementation
public func unisono_coordinator_waiting_for(
  _ coordinator: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<unisono_waiting_for>?>!,
  _ count: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_coordinator_waiting_for") { () throws(Failure) in
    let list = try object(coordinator, CoordinatorObject.self).view.waitingFor
    try giveList(owned, count, list.count) { $0.waitingFor(list) }
    return 0
  }
}

/// One owned block and its count; NULL for none.
private func giveList<Element>(
  _ owned: UnsafeMutablePointer<UnsafePointer<Element>?>?, _ count: UnsafeMutablePointer<Int>?, _ number: Int,
  _ make: (Arena) -> UnsafePointer<Element>?
) throws(Failure) {
  guard let owned, let count else {
    throw Failure(
      .UNISONO_EINVAL, "owned or count is NULL; give the addresses of variables for the list and its length")
  }
  let arena = Arena()
  let list = make(arena)
  if let list { OwnedResults.shared.give(list, of: arena) }
  owned.pointee = list
  count.pointee = number
}

@_cdecl("unisono_coordinator_get_statistics") @implementation
public func unisono_coordinator_get_statistics(
  _ coordinator: OpaquePointer!, _ out: UnsafeMutablePointer<unisono_coordinator_statistics>!
) -> Int32 {
  call("unisono_coordinator_get_statistics") { () throws(Failure) in
    let view = try object(coordinator, CoordinatorObject.self).view
    let counted = view.statistics
    var body = unisono_coordinator_statistics()
    body.state = unisono_timing_state(rawValue: view.timing.status.rawValue) ?? .UNISONO_TIMING_NONE
    body.commands_issued = counted.commandsIssued
    body.commands_completed = counted.commandsCompleted
    body.commands_failed = counted.commandsFailed
    body.commands_superseded = counted.commandsSuperseded
    body.commands_overdue = counted.commandsOverdue
    body.starts = counted.starts
    body.starts_late = counted.startsLate
    body.last_start_wait = counted.lastStartWait ?? 0
    body.last_start_error = counted.lastStartError ?? .min
    try write(body, to: out, "out")
    return 0
  }
}
