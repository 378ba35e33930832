import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica
import UnisonoRuntime

// Values as JavaScript names them.

extension AudienceListener.Status {
  var name: String {
    switch self {
    case .connecting: "connecting"
    case .listening: "following"
    case .silent: "silent"
    case .over: "over"
    }
  }
}

extension SessionStatus {
  var name: String {
    switch self {
    case .waiting: "waiting"
    case .joined: "joined"
    case .invalidated: "invalidated"
    }
  }
}

extension SessionConnection {
  var name: String {
    switch self {
    case .none: "none"
    case .connecting: "connecting"
    case .connected: "connected"
    case .reconnecting: "reconnecting"
    }
  }
}

extension SessionReason {
  var name: String {
    switch self {
    case .none: "none"
    case .left: "left"
    case .ended: "ended"
    case .network: "network"
    case .authentication: "authentication"
    case .version: "version"
    case .full: "full"
    case .duplicateKey: "duplicate-key"
    case .removed: "removed"
    case .protocolError: "protocol"
    case .closed: "closed"
    case .nobodyThere: "nobody-there"
    }
  }
}

extension ParticipantView.Connection {
  var name: String {
    switch self {
    case .none: "none"
    case .connecting: "connecting"
    case .connected: "connected"
    case .reconnecting: "reconnecting"
    }
  }
}

extension Role {
  var name: String {
    switch self {
    case .viewer: "viewer"
    case .member: "member"
    case .host: "host"
    case .owner: "owner"
    }
  }
}

extension ControlPolicy {
  var name: String {
    switch self {
    case .everyone: "everyone"
    case .hostsOnly: "hosts-only"
    case .perRole: "per-role"
    }
  }
}

extension ReadyWord {
  var name: String {
    switch self {
    case .notSaid: "not-said"
    case .ready: "ready"
    case .notReady: "not-ready"
    }
  }
}

extension SplitChange.Kind {
  var name: String {
    switch self {
    case .unheard: "unheard"
    case .deaf: "deaf"
    case .unreadable: "unreadable"
    }
  }
}

extension StartPolicy.Waiting {
  var name: String {
    switch self {
    case .none: "at-once"
    case .first: "first-when-ready"
    case .every: "when-ready"
    }
  }
}

extension StartPolicy.Leaving {
  var name: String {
    switch self {
    case .goOn: "go-on"
    case .pause: "pause"
    }
  }
}

extension CommandRequest.Kind {
  var name: String {
    switch self {
    case .pause: "pause"
    case .play: "play"
    case .seek: "seek"
    }
  }
}

extension CommandRequestStatus {
  var name: String {
    switch self {
    case .open: "open"
    case .granted: "granted"
    case .declined: "declined"
    case .unanswered: "unanswered"
    }
  }
}

extension ScheduleChange.Kind {
  var name: String {
    switch self {
    case .set: "set"
    case .canceled: "canceled"
    case .remaining: "remaining"
    case .due: "due"
    }
  }
}

extension AttachmentNews.Change {
  var name: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .progress: "progress"
    case .loaded: "loaded"
    case .failed: "failed"
    case .forged: "forged"
    case .lost: "lost"
    }
  }
}

extension AttachmentNews.Reason {
  /// nil: nothing failed.
  var code: Failure.Code? {
    switch self {
    case .none: nil
    case .notFound: .timedOut
    case .forged: .authentication
    case .cancelled: .cancelled
    case .removed: .notFound
    case .file, .exists: .file
    case .tooBig: .tooBig
    case .full: .full
    case .busy: .busy
    }
  }
}

extension TimingStatus {
  var name: String {
    switch self {
    case .none: "none"
    case .paused: "paused"
    case .waiting: "waiting"
    case .playing: "playing"
    }
  }
}

extension Cause {
  var name: String {
    switch self {
    case .unknown: "unknown"
    case .play: "play"
    case .pause: "pause"
    case .seek: "seek"
    case .rate: "rate"
    case .proposal: "proposal"
    case .item: "item"
    case .rejoin: "rejoin"
    case .reapply: "reapply"
    case .stall: "stall"
    case .clock: "clock"
    case .ended: "ended"
    case .left: "left"
    case .range: "range"
    }
  }
}

extension RendererCommand.Kind {
  var name: String {
    switch self {
    case .load: "load"
    case .cue: "cue"
    case .play: "play"
    case .pause: "pause"
    case .seek: "seek"
    case .nudge: "nudge"
    case .volume: "volume"
    case .size: "size"
    case .stop: "stop"
    }
  }
}

extension PlayerNotice.Kind {
  var name: String {
    switch self {
    case .timeControl: "time-control"
    case .rate: "rate"
    case .timeJumped: "time-jumped"
    case .itemStatus: "item-state"
    case .itemEnded: "item-ended"
    case .seekDone: "seek-done"
    }
  }
}

extension PlayerNotice.Outcome {
  var name: String {
    switch self {
    case .done: "done"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}

extension TimeControlStatus {
  var name: String {
    switch self {
    case .paused: "paused"
    case .waiting: "waiting"
    case .playing: "playing"
    }
  }
}

extension WaitingReason {
  var name: String {
    switch self {
    case .none: "none"
    case .toMinimizeStalls: "to-minimize-stalls"
    case .evaluatingBufferingRate: "evaluating-buffering-rate"
    case .noItem: "no-item"
    case .coordinatedPlayback: "coordinated-playback"
    case .interstitial: "interstitial"
    }
  }
}

extension ItemStatus {
  var name: String {
    switch self {
    case .unknown: "unknown"
    case .ready: "ready"
    case .failed: "failed"
    }
  }
}

extension RateReason {
  var name: String {
    switch self {
    case .setRateCalled: "set-rate-called"
    case .setRateFailed: "set-rate-failed"
    case .interrupted: "interrupted"
    case .backgrounded: "backgrounded"
    case .participant: "participant"
    case .liveEdge: "live-edge"
    case .itemEnded: "item-ended"
    }
  }
}

extension Operation {
  /// The method that a refusal is about; of calls that a page has no method for: "".
  var name: String {
    switch self {
    case .activate: "activate"
    case .endSession: "end"
    case .setRole: "setRole"
    case .setControlPolicy: "setControl"
    case .setClosed: "setClosed"
    case .removeParticipant: "remove"
    case .addEntry: "addEntry"
    case .moveEntry: "moveEntry"
    case .removeEntry: "removeEntry"
    case .selectEntry: "selectEntry"
    case .nextEntry: "nextEntry"
    case .setCutOffset: "setCutOffset"
    case .requestCommand: "ask"
    case .answerRequest: "answer"
    case .attach: "offer"
    case .loadAttachment: "loadAttachment"
    case .removeAttachment: "removeAttachment"
    case .scheduleStart: "scheduleStart"
    case .cancelStart: "cancelStart"
    case .undoJump: "undoJump"
    case .setStartPolicy: "setStartPolicy"
    case .setSkipPolicy: "setSkippedRanges"
    case .startWithout: "startWithout"
    case .play: "play"
    case .pause: "pause"
    case .setRate, .coordinateRateChange: "setRate"
    case .seek, .coordinateSeek: "seek"
    case .insertItem: "load"
    case .beginInterruption: "suspend"
    case .endInterruption, .endSuspension: "resume"
    default: ""
    }
  }
}
