/// Purpose of a derived key, a hash or a signature (wire 1.3): each label has one use.
///
/// Labels contain no zero byte and end with one on the wire, so none is another's prefix; a text signed for one purpose
/// is never valid for another.
package enum Label: String, CaseIterable, Sendable {
  // Keys.
  case session
  case topic
  case door
  case next
  case commit
  case send
  case personKey = "person-key"
  case personID = "person-id"
  case up
  case down
  case probe
  case token
  case pass
  case pairDigits = "pair-digits"
  case pairToInitiator = "pair-r2i"
  case pairToResponder = "pair-i2r"
  case continuation
  case setName = "set-name"
  case setRoom = "set-room"
  case setRun = "set-run"
  case setKeeper = "set-keeper"
  case audience
  case tally
  // Hashes.
  case invite
  case handshake
  case pairCommit = "pair-commit"
  case pair
  case audienceID = "audience-id"
  // HPKE info.
  case welcome
  case rekey
  case `private`
  case promotion
  // Signatures.
  case hub
  case set
  case enter
  case seat
  case message
  case intro
  case person
  case statement
  case policy
  case record
  case chat

  /// `"unisono/2 " + name + 0x00`.
  package var bytes: [UInt8] { Array("unisono/2 ".utf8) + Array(rawValue.utf8) + [0] }
}
