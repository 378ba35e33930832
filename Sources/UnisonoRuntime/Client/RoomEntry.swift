import UnisonoBase
import UnisonoReplica

/// Entry into a room as the hub confirmed it: the room, its members, and the terms.
package struct RoomEntry: Equatable, Sendable {
  /// "host:port" under which the hub was reached.
  package var address: String
  /// The hub's id, 16 bytes.
  package var hubID: [UInt8]
  /// The id by which it was taken for the one that was meant, 16 bytes: its own, or its set's.
  package var pinned: [UInt8]
  /// Name of the clock that probes tell.
  package var clockID: ClockID
  /// The number of this connection.
  package var connection: UInt64
  /// Everybody in the room, this participant included.
  package var members: [Member]
  /// Longest frame that the hub takes, bytes, and how many bytes a second it reads.
  package var frameLimit: UInt32
  package var bytesPerSecond: UInt32
  /// 0: probes go over TCP only.
  package var udpPort: UInt16
  /// Addresses where others reach the hub, as whoever runs it says; not judged yet.
  package var advertised: [String]
}

extension RoomEntry {
  /// Whether invites to sessions at a hub take this "host:port" when the hub advertises it.
  package static func mayAdvertise(_ address: String) -> Bool {
    HubDirectory.isDialled(address)
  }
}

extension RoomEntry {
  /// The hub was taken by its set's id: another address with that id may be another hub's.
  var isOfSet: Bool { pinned != hubID }
}

extension HubAddress {
  /// Whether this names the hub of an entry: the id decides, as several machines have the same loopback. A set's does not say which of its
  /// hubs is meant, so that the address does.
  func isHub(of entry: RoomEntry) -> Bool { hub == entry.hubID || hub == entry.pinned && address == entry.address }
}
