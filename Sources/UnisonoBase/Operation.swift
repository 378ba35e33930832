/// Function of the API, as refusals name the call that they answer.
///
/// Only the border to C knows the names of the functions.
package enum Operation: Hashable, CaseIterable, Sendable {
  // Of a session.
  case activate, endSession, setRole, setControlPolicy, setClosed, setDeputies, removeParticipant, requestCommand, answerRequest
  // Of its playlist.
  case addEntry, moveEntry, removeEntry, selectEntry, nextEntry, setCutOffset
  case attach, loadAttachment, removeAttachment
  case sendAt, scheduleStart, cancelStart
  // Of a coordinator and its suspensions.
  case coordinateRateChange, coordinateSeek, completeCommand, failCommand, reapplyItemState, setStallPolicy, endSuspension
  case setActionAtEnd, undoJump, setStartPolicy, setSkipPolicy, startWithout
  // Of a player.
  case play, pause, setRate, seek, insertItem, replay, beginScrub, scrubTo, endScrub
  case beginInterruption, endInterruption, beginInterstitial, endInterstitial

  /// Its refusal concerns the session, and not its coordinator.
  package var isOfSession: Bool {
    switch self {
    case .activate, .endSession, .setRole, .setControlPolicy, .setClosed, .setDeputies, .removeParticipant, .requestCommand,
      .answerRequest, .addEntry, .moveEntry, .removeEntry, .selectEntry, .nextEntry, .setCutOffset,
      .attach, .loadAttachment, .removeAttachment, .sendAt, .scheduleStart, .cancelStart:
      true
    case .coordinateRateChange, .coordinateSeek, .completeCommand, .failCommand, .reapplyItemState, .setStallPolicy,
      .setActionAtEnd, .undoJump, .setStartPolicy, .setSkipPolicy, .startWithout, .endSuspension, .play, .pause, .setRate, .seek, .insertItem, .replay,
      .beginScrub, .scrubTo, .endScrub, .beginInterruption, .endInterruption, .beginInterstitial, .endInterstitial:
      false
    }
  }
}
