import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// Whether a session has an audience.
package enum AudienceState: Int32, Sendable {
  case closed = 0
  /// Its hub is not reached yet, or is lost: who listens goes on by what it has, and nobody new finds anything.
  case opening
  case open
}

/// What becomes of the session's audience, for an owner or host.
package struct AudienceNews: Equatable, Sendable {
  package var state = AudienceState.closed
  /// By the hub's word, which nobody can check; 0 where another host speaks.
  package var listeners: UInt32 = 0
  /// By the hub's word, too: how often somebody of them said something that it did not pass on, as there was too much.
  package var leftOut: UInt32 = 0
  /// The same: how many of them are ready for the start that waits for them, or did last.
  package var ready: UInt32 = 0
  /// The same: in the order in which the audience was opened with them.
  package var reactions: [ReactionCount] = []
  /// One sentence on why it is closed, or not open; "": there is nothing to say.
  package var reason = ""

  package init(
    state: AudienceState = .closed, listeners: UInt32 = 0, leftOut: UInt32 = 0, ready: UInt32 = 0, reactions: [ReactionCount] = [],
    reason: String = ""
  ) {
    self.state = state
    self.listeners = listeners
    self.leftOut = leftOut
    self.ready = ready
    self.reactions = reactions
    self.reason = reason
  }
}

/// By what those who listen may react, and how many did.
package struct ReactionCount: Hashable, Sendable {
  package var text: String
  /// Listeners of whom this is the newest reaction of the last 10 s, by the hub's word.
  package var count: UInt32

  package init(text: String, count: UInt32) {
    self.text = text
    self.count = count
  }
}

/// Somebody of the own audience said something. Who it is nobody knows, but that it is the same as before.
package struct ListenerNews: Equatable, Sendable {
  package var listener: ParticipantID
  package var word: HandMessage.Word
  /// Can be shown as it is; "": it asks, and says nothing with it.
  package var text: String

  package init(listener: ParticipantID, word: HandMessage.Word, text: String) {
    self.listener = listener
    self.word = word
    self.text = text
  }
}

/// Why an audience is not opened, or a listener not invited.
package enum AudienceRefusal: Error, Hashable, Sendable {
  case notJoined
  /// This participant may not command.
  case denied
  /// Not only hosts may command: a listener could not tell whose commands count.
  case control
  /// Who joins may command.
  case joinerRole
  case isOpen
  /// No hub that a link can name is known.
  case noHub
  /// There is none whose listener could be invited.
  case notOpen
  /// Another host speaks to it, and has not handed over yet what that takes.
  case notSpeaking
  /// This listener did not ask to be invited, or long ago.
  case notAsked
  /// The audience's hub is not reached, or the invite cannot be written.
  case notSent

  /// One sentence for people.
  package var message: String {
    switch self {
    case .notJoined: "this participant has not joined the session yet; wait for JOINED"
    case .denied: "only an owner or a host can open an audience"
    case .control: "an audience needs a session in which hosts only may command; set that first (unisono_session_set_control_policy)"
    case .joinerRole: "in this session everybody who joins may command, so that an audience cannot tell whose commands count"
    case .isOpen:
      "the session has an open audience, whose link unisono_session_audience_link gives to every host; close it to open another one"
    case .noHub: "no hub is known yet that a link could name; wait until the session is connected"
    case .notOpen: "no audience is open here"
    case .notSpeaking: "what it takes to speak to the audience has not come yet from another host; try again in a moment"
    case .notAsked: "this listener did not ask to be invited; invite who is told as asking"
    case .notSent: "the audience's hub is not reached just now; try again once the audience is open"
    }
  }
}

/// What is said to an audience, made by the session when it is asked for.
struct StageInput {
  var state: StagedState
  /// Statements as they are signed; what is not signed is left out.
  var sign: ([Statement]) -> [SignedStatement]
  /// Signing keys of authors.
  var keys: (Set<ParticipantID>) -> [[UInt8]]
  /// Where the audience may be found from now on.
  var hubs: [HubAddress]
  /// Owners and hosts who are here, the most senior first.
  var hosts: [ParticipantID]
}
