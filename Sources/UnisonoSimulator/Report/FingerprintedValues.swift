import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica
import UnisonoWire

// What of each value belongs to a fingerprint: everything that others, the host or people can see, but for wording.

extension CoordinationEvent {
  /// What kind of event it is, and from whom: what it says was decided elsewhere, and is in the fingerprint from there. A
  /// tick changes nothing unless something comes of it.
  func add(to print: inout Fingerprint) {
    switch self {
    case .tick, .roster, .persons: break
    case .transition: print.add(1)
    case .rateChange: print.add(2)
    case .seek: print.add(3)
    case .completed: print.add(4)
    case .beginsLater: print.add(5)
    case .failed: print.add(6)
    case .reapply: print.add(7)
    case .beginSuspension: print.add(8)
    case .endSuspension: print.add(9)
    case .setWaitingReasons: print.add(10)
    case .setParticipantLimit: print.add(11)
    case .setPauseSnaps: print.add(12)
    case .setPreparesAhead: print.add(49)
    case .setAudience: print.add(50)
    case .audienceReadiness: print.add(51)
    case .setWaitLimit: print.add(13)
    case .setStallPolicy: print.add(14)
    case .setOutputOffset: print.add(15)
    case .report: print.add(16)
    case .setActivity: print.add(17)
    case .changePolicy: print.add(18)
    case .end: print.add(19)
    case .participate: print.add(20)
    case .setHubAddresses: print.add(21)
    case .leave: print.add(22)
    case .linkUp: print.add(23)
    case .moved: print.add(46)
    case .setCoordinators: print.add(47)
    case .linkDown: print.add(24)
    case .presence: print.add(25)
    case .secured: print.add(26)
    case .message(_, let sender):
      print.add(27)
      print.add(sender)
    case .clock: print.add(28)
    case .clocks(let report):
      print.add(48)
      print.add(report.at)
    case .slept: print.add(29)
    case .setStartLatency: print.add(30)
    case .cannotPlay: print.add(31)
    case .setActionAtEnd: print.add(32)
    case .undoJump: print.add(33)
    case .setStartPolicy: print.add(34)
    case .setReady: print.add(35)
    case .startWithout: print.add(36)
    case .editPlaylist: print.add(37)
    case .stateCopy: print.add(38)
    case .offerAttachment: print.add(39)
    case .scheduleStart: print.add(40)
    case .cancelStart: print.add(41)
    case .setCutOffset: print.add(42)
    case .resume: print.add(43)
    case .setSkipPolicy: print.add(44)
    case .setInterstitials: print.add(45)
    case .takeBackAttachment: print.add(46)
    case .missed: print.add(47)
    }
  }
}

extension CoordinationEffect {
  func add(to print: inout Fingerprint) {
    switch self {
    case .send(let message, let receiver):
      print.add(101)
      print.add(receiver) { $0.add($1) }
      message.add(to: &print)
    case .playback(let effect): effect.add(to: &print)
    case .session(let effect): effect.add(to: &print)
    }
  }
}

extension PlaybackEffect {
  fileprivate func add(to print: inout Fingerprint) {
    switch self {
    case .command(let command):
      print.add(102)
      command.add(to: &print)
    case .commandOverdue(let command):
      print.add(114)
      print.add(command.id)
    case .timingChanged(let change):
      print.add(103)
      change.add(to: &print)
    case .suspensionsChanged(let reasons):
      print.add(104)
      print.add(each: reasons) { $0.add($1) }
    case .refused(_, let status, _):
      print.add(112)
      status.add(to: &print)
    }
  }
}

extension SessionEffect {
  fileprivate func add(to print: inout Fingerprint) {
    switch self {
    case .participantsChanged(let change):
      print.add(105)
      print.add(change.isComplete)
      for views in [change.joined, change.updated, change.left] {
        print.add(each: views) { $1.add(to: &$0) }
      }
    case .notice(let notice, let originator):
      print.add(106)
      print.add(bytes: InnerMessage.notice(notice).encoded)
      print.add(notice.itemTime) { $0.add($1) }
      print.add(originator)
    case .activityChanged(let activity, let originator):
      print.add(107)
      print.add(activity) { $0.add($1.identifier) }
      print.add(originator)
    case .policyChanged(let stack):
      print.add(108)
      print.add(stack.id)
    case .successionChanged(let change):
      print.add(115)
      print.add(change.deputy)
    case .clockDoubt(let change):
      print.add(116)
      print.add(change.participant)
      print.add(change.isOver)
    case .split(let change):
      print.add(117)
      print.add(change.participant)
      print.add(Int64(change.kind.rawValue))
      print.add(change.isOver)
    case .crowded(let crowding):
      print.add(121)
      print.add(crowding.participant)
      print.add(Int64(crowding.kind.rawValue))
    case .playlistChanged(let change):
      print.add(118)
      for flag in [change.entries, change.current, change.isByEnd] { print.add(flag) }
      print.add(change.originator)
    case .copyCompared(let news):
      print.add(119)
      print.add(news.participant)
      for flag in [news.difference.duration, news.difference.size, news.difference.hash] { print.add(flag) }
    case .scheduleChanged(let change):
      print.add(120)
      print.add(Int64(change.kind.rawValue))
      print.add(change.start.originator)
    case .removalWanted(let participants):
      print.add(109)
      print.add(each: participants) { $0.add($1) }
    case .joined: print.add(110)
    case .invalidated(let cause):
      print.add(111)
      cause.add(to: &print)
    case .refused(_, let status, _):
      print.add(112)
      status.add(to: &print)
    case .log(let level, _):
      print.add(113)
      print.add(Int64(level.rawValue))
    }
  }
}

extension CoordinationMessage {
  fileprivate func add(to print: inout Fingerprint) {
    switch self {
    case .update(let statements):
      print.add(1)
      print.add(each: statements) { $1.add(to: &$0) }
    case .beat(let beat):
      print.add(2)
      print.add(bytes: InnerMessage.beat(beat).encoded)
    case .have(let entries):
      print.add(3)
      print.add(bytes: InnerMessage.have(entries).encoded)
    case .want(let keys):
      print.add(4)
      print.add(bytes: InnerMessage.want(keys).encoded)
    case .levels(let levels):
      print.add(5)
      print.add(each: levels) {
        $0.add(bytes: $1.body)
        $0.add(bytes: $1.signature)
      }
    case .snapshot(let statements):
      print.add(6)
      print.add(statements) { $0.add(each: $1) { $1.add(to: &$0) } }
    }
  }
}

extension Statement {
  /// As it is sent; one that cannot be is its stamp alone.
  fileprivate func add(to print: inout Fingerprint) {
    print.add(author)
    print.add(time)
    print.add(try? StatementBody.encode(self)) { $0.add(bytes: $1) }
  }
}

extension PlaybackCommand {
  fileprivate func add(to print: inout Fingerprint) {
    print.add(UInt64(kind.rawValue))
    print.add(id)
    print.add(originator)
    print.add(bytes: item.utf8)
    print.add(rate)
    print.add(itemTime)
    print.add(hostTime)
    print.add(dueHostTime)
    print.add(anticipatedRate)
    for flag in [isLocal, snap, buffersInAnticipation, mayBeginLater] { print.add(flag) }
    print.add(Int64(cause.rawValue))
  }
}

extension TimingChange {
  fileprivate func add(to print: inout Fingerprint) {
    print.add(Int64(status.rawValue))
    print.add(Int64(cause.rawValue))
    print.add(originator)
    print.add(item) { $0.add(bytes: $1.utf8) }
    print.add(rate)
    print.add(itemTime)
    print.add(hostTime)
    print.add(deadline)
    print.add(each: waitingFor) {
      $0.add($1.participant)
      $0.add($1.reason)
    }
  }
}

extension ParticipantView {
  fileprivate func add(to print: inout Fingerprint) {
    print.add(id)
    print.add(Int64(connection.rawValue))
    print.add(displayName)
    print.add(item) { $0.add(bytes: $1.utf8) }
    print.add(each: suspensionReasons) { $0.add($1) }
    print.add(UInt64(role.rawValue))
    print.add(isLocal)
    print.add(ready)
    print.add(UInt64(word.rawValue))
    print.add(rate)
    print.add(position) {
      $0.add($1.itemTime)
      $0.add($1.hostTime)
    }
    print.add(roundTrip)
    print.add(clockError)
  }
}

extension InvalidationCause {
  fileprivate func add(to print: inout Fingerprint) {
    switch self {
    case .ended(let author):
      print.add(1)
      print.add(author)
    case .duplicateKey: print.add(2)
    case .removed(let author):
      print.add(3)
      print.add(author)
    }
  }
}

extension CoordinationStatus {
  fileprivate func add(to print: inout Fingerprint) {
    switch self {
    case .state: print.add(1)
    case .denied: print.add(2)
    case .notFound: print.add(3)
    case .timedOut: print.add(4)
    case .full: print.add(5)
    case .busy: print.add(6)
    }
  }
}

extension RendererCommand {
  func add(to print: inout Fingerprint) {
    print.add(UInt64(kind.rawValue))
    print.add(request)
    print.add(item) { $0.add(bytes: $1.utf8) }
    print.add(rate)
    print.add(itemTime)
    print.add(hostTime)
    print.add(toleranceBefore)
    print.add(toleranceAfter)
    print.add(volume)
  }
}
