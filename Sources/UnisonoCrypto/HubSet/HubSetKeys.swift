import Crypto
import UnisonoBase
import UnisonoWire

/// The keys of a set of hubs: 32 secret bytes that all its hubs share, and while they are being changed two such (hubs 2).
///
/// With the first is sealed and under the first's names is published; both are heard and opened. So a set changes its key without a
/// moment in which two hubs do not understand each other: all get the new one as the second, then all as the first, then alone.
package struct HubSetKeys: Sendable {
  /// Characters of a name in a subject.
  private static let nameLength = 22

  private let keys: [Secret]
  /// "u2.<set>." of each key.
  private let prefixes: [String]

  /// `second`: the other one while the key is being changed.
  package init(_ first: Secret, second: Secret? = nil) {
    keys = second.map { [first, $0] } ?? [first]
    prefixes = keys.map { "u2." + Self.name($0.expand(.setName)) + "." }
  }

  /// Subject of all hubs, under each key; published on is the first.
  package var hubs: [String] { prefixes.map { $0 + "hubs" } }

  /// All subjects under each key, as permissions of NATS name them.
  package var all: [String] { prefixes.map { $0 + ">" } }

  /// Subjects of one run, likewise.
  package func hub(_ run: HubRunID) -> [String] { prefixes.map { $0 + "hub." + Base64URL.text(run.bytes, length: Self.nameLength) } }

  /// Subjects of a room, likewise. They tell nothing of its topic to who has no key.
  package func room(_ topic: [UInt8]) -> [String] {
    zip(prefixes, keys).map { $0 + "room." + Self.name($1.code(of: Label.setRoom.bytes + topic)) }
  }

  /// A number for an address of somebody who leaves notices: equal at all hubs, and telling nothing else.
  package func keeper(_ address: [UInt8]) -> UInt64 {
    keys[0].code(of: Label.setKeeper.bytes + address).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Keys of a run's messages, the first key's first.
  func runKeys(_ run: HubRunID) -> [SymmetricKey] { keys.map { $0.code(of: run.bytes).expand(.setRun).key } }

  private static func name(_ secret: Secret) -> String { Base64URL.text(secret.bytes, length: nameLength) }
}
