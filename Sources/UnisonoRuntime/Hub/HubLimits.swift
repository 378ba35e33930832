import UnisonoBase

/// Limits of what a hub gives to whom: those of the protocol (wire 10), with what its options may change as variables.
package struct HubLimits: Equatable, Sendable {
  /// 1...100,000.
  package var participantsPerRoom = 256
  package var rooms = 1_024
  /// Entered connections in all.
  package var connections = 4_096
  /// Entered connections of one address (of one /64 with IPv6).
  package var connectionsPerAddress = 64
  /// Those who listen to audiences, in all and from one address, beside the connections above.
  package var listeners = 16_384
  package var listenersPerAddress = 256
  /// Rate at which one connection may send, bytes a second; the burst is twice that.
  package var bytesPerSecond = 262_144
  /// Rate at which the members of one room are sent to, bytes a second; the burst is one second.
  package var roomBytesPerSecond = 32 << 20
  /// Received bytes that wait for the rest of their frame or for their turn, in all.
  package var inboundMemory = 64 << 20
  /// Frames that wait to be sent, in all.
  package var outboundMemory = 256 << 20

  /// Rooms in which one address is.
  package var roomsPerAddress = 8
  /// Connections that have not entered, in all and of one address.
  package var unentered = 256
  package var unenteredPerAddress = 16
  /// Entries: a second and at once, of one address and of all.
  package var entriesPerSecond = 5.0
  package var entriesBurst = 20.0
  package var entriesPerSecondInAll = 200.0
  /// Frames of one connection: a second and at once.
  package var framesPerSecond = 200.0
  package var framesBurst = 400.0
  /// Clock probes of one token, a second.
  package var probesPerSecond = 20.0

  /// For `unisono hub`.
  package init() {}

  /// For a hub inside a participant's process.
  package static var embedded: HubLimits {
    var limits = HubLimits()
    limits.connections = 512
    limits.listeners = 2_048
    limits.roomBytesPerSecond = 8 << 20
    limits.inboundMemory = 8 << 20
    limits.outboundMemory = 32 << 20
    return limits
  }

  /// Shares one number between what is received and what waits to be sent, in the proportion of the defaults (1 to 4).
  package mutating func setMemory(_ bytes: Int) {
    inboundMemory = bytes / 5
    outboundMemory = bytes - bytes / 5
  }

  /// Requests for files of its site that are answered at a time: what these keep in memory is a quarter of that for frames to send.
  package var visits: Int { max(4, outboundMemory / (4 * Self.visitBytes)) }

  /// Bytes of a file that are read and sent at a time.
  static let visitBytes = 131_072
  /// Within this they are read and have left, or the visit is over.
  static let visitPatience = Nanoseconds.seconds(60)
  /// The longest frame after its length field.
  static let frameLength = 262_144
  /// Bytes that a connection may send and be sent before it has entered.
  static let unenteredBytes = 4_096
  static let unenteredFrames = 3
  static let unenteredTime = Nanoseconds.seconds(10)
  /// Entries of those who listen, beside those of others: a second, in all; a second and at once, of one address.
  static let listenerEntries: Int64 = 1_000
  static let listenerEntriesPerAddress = 20.0
  static let listenerEntriesBurst = 64.0
  /// Of one audience; its publishers' frames and bytes a second, together.
  static let publishers = 8
  static let publisherFrames = 20.0
  static let publisherBytes = 262_144.0
  /// What one who listens says beside that it is there: so many frames in 10 s; bytes a second of everything; the longest record.
  static let listenerFrames = 8.0
  static let listenerBytes = 4_096.0
  static let listenerRecord = 8_192
  /// Of what all who listen say the publishers of an audience are given so many a second.
  static let listenerWordsInAll = 50
  /// With more that waits one who listens is closed. Above `unorderedBytes` it gets nothing but the newest of each slot.
  static let listenerQueue = 262_144
  /// Within this a begun frame is complete.
  static let frameTime = Nanoseconds.seconds(10)
  /// Longer than this reading never rests.
  static let stoppedTime = Nanoseconds.seconds(10)
  static let outboundBytes = 1 << 20
  /// So far ahead of the socket what is to be sent is sealed: what waits longer is kept in clear, once for all receivers.
  static let sealedAhead = 65_536
  /// A wait that is asked for in clear, by anybody on the path, is never kept longer.
  static let clearRetry = Nanoseconds.seconds(10)
  /// Above this unordered envelopes and answers to PING and PROBE are left out.
  static let unorderedBytes = 65_536
  /// Memory that a waiting frame costs beside its bytes.
  static let frameCost = 512
  /// Silence after which the other side is asked, and after which it counts as dead.
  static let pingAfter = Nanoseconds.seconds(5)
  static let deadAfter = Nanoseconds.seconds(15)
  /// A round of checks that comes so late shows that the hub stood still, by what else its process or its machine had to do.
  static let standstill = Nanoseconds.seconds(1)
  /// Length of the pieces that a member list is cut into.
  static let membersPerFrame = 1_024
}
