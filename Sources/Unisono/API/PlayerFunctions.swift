import CUnisono
import UnisonoPlayer

@_cdecl("unisono_player_create") @implementation
public func unisono_player_create(
  _ context: OpaquePointer!, _ renderer: UnsafePointer<unisono_renderer>!, _ renderer_user: UnsafeMutableRawPointer!,
  _ callbacks: UnsafePointer<unisono_player_callbacks>!, _ user: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_player_create") { () throws(Failure) in
    let context = try object(context, ContextObject.self)
    let out = try cleared(out)
    out.pointee = try PlayerObject.create(
      in: context, renderer, rendererUser: renderer_user, callbacks, user: user
    ).token.pointer
    return 0
  }
}

@_cdecl("unisono_player_destroy") @implementation
public func unisono_player_destroy(_ player: OpaquePointer!) {
  objectToDestroy(player, PlayerObject.self, "unisono_player_destroy")?.giveUp()
}

@_cdecl("unisono_player_coordinator") @implementation
public func unisono_player_coordinator(
  _ player: OpaquePointer!, _ borrowed: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_player_coordinator") { () throws(Failure) in
    let player = try livePlayer(player)
    try cleared(borrowed).pointee = player.coordinator.token.pointer
    return 0
  }
}

@_cdecl("unisono_player_insert_item") @implementation
public func unisono_player_insert_item(
  _ player: OpaquePointer!, _ item: UnsafePointer<unisono_player_item>!, _ after: UnsafePointer<CChar>!
) -> Int32 {
  call("unisono_player_insert_item") { () throws(Failure) in
    try livePlayer(player).insert(item, after: after)
    return 0
  }
}

@_cdecl("unisono_player_remove_item") @implementation
public func unisono_player_remove_item(_ player: OpaquePointer!, _ identifier: UnsafePointer<CChar>!) -> Int32 {
  call("unisono_player_remove_item") { () throws(Failure) in
    try livePlayer(player).remove(identifier)
    return 0
  }
}

@_cdecl("unisono_player_advance") @implementation
public func unisono_player_advance(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_advance") { () throws(Failure) in
    try livePlayer(player).advance()
    return 0
  }
}

@_cdecl("unisono_player_replace_current_item") @implementation
public func unisono_player_replace_current_item(
  _ player: OpaquePointer!, _ item: UnsafePointer<unisono_player_item>!
) -> Int32 {
  call("unisono_player_replace_current_item") { () throws(Failure) in
    try livePlayer(player).replaceCurrent(item)
    return 0
  }
}

@_cdecl("unisono_player_play") @implementation
public func unisono_player_play(_ player: OpaquePointer!, _ options: UInt32) -> Int32 {
  call("unisono_player_play") { () throws(Failure) in
    try livePlayer(player).play(options: options)
    return 0
  }
}

@_cdecl("unisono_player_pause") @implementation
public func unisono_player_pause(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_pause") { () throws(Failure) in
    try livePlayer(player).request(.pause)
    return 0
  }
}

@_cdecl("unisono_player_set_rate") @implementation
public func unisono_player_set_rate(_ player: OpaquePointer!, _ rate: Double, _ options: UInt32) -> Int32 {
  call("unisono_player_set_rate") { () throws(Failure) in
    try livePlayer(player).setRate(rate, options: options)
    return 0
  }
}

@_cdecl("unisono_player_seek") @implementation
public func unisono_player_seek(
  _ player: OpaquePointer!, _ item_time: Int64, _ tolerance_before: Int64, _ tolerance_after: Int64,
  _ request: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  call("unisono_player_seek") { () throws(Failure) in
    try livePlayer(player).seek(to: item_time, before: tolerance_before, after: tolerance_after, request)
    return 0
  }
}

@_cdecl("unisono_player_begin_scrub") @implementation
public func unisono_player_begin_scrub(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_begin_scrub") { () throws(Failure) in
    try livePlayer(player).request(.scrubBegin)
    return 0
  }
}

@_cdecl("unisono_player_scrub_to") @implementation
public func unisono_player_scrub_to(_ player: OpaquePointer!, _ item_time: Int64) -> Int32 {
  call("unisono_player_scrub_to") { () throws(Failure) in
    let player = try livePlayer(player)
    try PlayerObject.checkPosition(item_time)
    try player.request(.scrubTo(item_time))
    return 0
  }
}

@_cdecl("unisono_player_end_scrub") @implementation
public func unisono_player_end_scrub(_ player: OpaquePointer!, _ commit: Int32) -> Int32 {
  call("unisono_player_end_scrub") { () throws(Failure) in
    try livePlayer(player).request(.scrubEnd(commit: commit != 0))
    return 0
  }
}

@_cdecl("unisono_player_replay") @implementation
public func unisono_player_replay(_ player: OpaquePointer!, _ back: Int64, _ rate: Double) -> Int32 {
  call("unisono_player_replay") { () throws(Failure) in
    try livePlayer(player).replay(back: back, rate: rate)
    return 0
  }
}

@_cdecl("unisono_player_time_control") @implementation
public func unisono_player_time_control(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_time_control") { () throws(Failure) in
    return try livePlayer(player).view.timeControl.status.rawValue
  }
}

@_cdecl("unisono_player_waiting_reason") @implementation
public func unisono_player_waiting_reason(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_waiting_reason") { () throws(Failure) in
    return try livePlayer(player).view.timeControl.reason.rawValue
  }
}

@_cdecl("unisono_player_item_state") @implementation
public func unisono_player_item_state(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_item_state") { () throws(Failure) in
    return try livePlayer(player).view.itemStatus.rawValue
  }
}

@_cdecl("unisono_player_current_time") @implementation
public func unisono_player_current_time(
  _ player: OpaquePointer!, _ item_time: UnsafeMutablePointer<Int64>!, _ host_time: UnsafeMutablePointer<Int64>!
) -> Int32 {
  call("unisono_player_current_time") { () throws(Failure) in
    let player = try livePlayer(player)
    guard let item_time, let host_time else { throw Failure(.UNISONO_EINVAL, "item_time or host_time is NULL") }
    let position = player.view.position
    item_time.pointee = position?.itemTime ?? .min
    host_time.pointee = position?.hostTime ?? .min
    guard position != nil else { throw Failure(.UNISONO_ESTATE, "nothing is loaded that could have a position") }
    return 0
  }
}

@_cdecl("unisono_player_begin_interruption") @implementation
public func unisono_player_begin_interruption(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_begin_interruption") { () throws(Failure) in
    try livePlayer(player).submit(.interruptionBegin)
    return 0
  }
}

@_cdecl("unisono_player_end_interruption") @implementation
public func unisono_player_end_interruption(_ player: OpaquePointer!, _ should_resume: Int32) -> Int32 {
  call("unisono_player_end_interruption") { () throws(Failure) in
    try livePlayer(player).submit(.interruptionEnd(resume: should_resume != 0))
    return 0
  }
}

@_cdecl("unisono_player_begin_interstitial") @implementation
public func unisono_player_begin_interstitial(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_begin_interstitial") { () throws(Failure) in
    try livePlayer(player).submit(.interstitialBegin)
    return 0
  }
}

@_cdecl("unisono_player_end_interstitial") @implementation
public func unisono_player_end_interstitial(_ player: OpaquePointer!) -> Int32 {
  call("unisono_player_end_interstitial") { () throws(Failure) in
    try livePlayer(player).submit(.interstitialEnd)
    return 0
  }
}

@_cdecl("unisono_player_set_volume") @implementation
public func unisono_player_set_volume(_ player: OpaquePointer!, _ volume: Double) -> Int32 {
  call("unisono_player_set_volume") { () throws(Failure) in
    try livePlayer(player).setVolume(volume)
    return 0
  }
}

@_cdecl("unisono_player_report") @implementation
public func unisono_player_report(
  _ player: OpaquePointer!, _ report: UnsafePointer<unisono_renderer_report>!
) -> Int32 {
  call("unisono_player_report") { () throws(Failure) in
    try object(player, PlayerObject.self).report(report)
    return 0
  }
}

@_cdecl("unisono_player_get_statistics") @implementation
public func unisono_player_get_statistics(
  _ player: OpaquePointer!, _ out: UnsafeMutablePointer<unisono_player_statistics>!
) -> Int32 {
  call("unisono_player_get_statistics") { () throws(Failure) in
    let statistics = try livePlayer(player).view.statistics
    try write(unisono_player_statistics(statistics), to: out, "out")
    return 0
  }
}

extension unisono_player_statistics {
  fileprivate init(_ statistics: PlayerStatistics) {
    self.init()
    size = Unisono.size(of: Self.self)
    skew_last = statistics.skew.last ?? .min
    skew_median = statistics.skew.median ?? .min
    skew_p95 = statistics.skew.percentile95 ?? .min
    skew_maximum = statistics.skew.maximum ?? .min
    nudges = statistics.nudges
    seeks = statistics.seeks
    stalls = statistics.stalls
    learnt_start_latency = statistics.startLatency
    learnt_seek_cost = statistics.seekCost
  }
}
