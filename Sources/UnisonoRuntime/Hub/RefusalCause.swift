/// Why a hub turned down an entry or closed a connection, for whoever runs it; who is turned down learns less.
package enum RefusalCause: String, CaseIterable, Sendable {
  /// Too many connections that have not entered, in all or of one address.
  case unenteredFull = "unentered_full"
  /// What came is not the protocol, or more than may come before entry.
  case noise = "not_the_protocol"
  case entryTimeout = "entry_timeout"
  /// An HTTP request that became no WebSocket, or came from a page that may not.
  case upgrade = "websocket_upgrade"
  case version
  /// Wrong keys or signatures, or a room that may not be opened.
  case notAdmitted = "not_admitted"
  /// More entries than an address, or all, may try in a second.
  case entryRate = "entry_rate"
  /// No place: connections, rooms, participants, or of one address.
  case full
  case protocolBroken = "protocol_broken"
  /// Sent far more than it may.
  case flood
  /// Memory for received bytes was used up.
  case memory
  /// Nobody published lately where one wants to listen.
  case notOpen = "audience_not_open"
  /// The hub is about to end.
  case draining
}
