import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

/// A hub that carries everything at once between secure rooms, and records it.
struct RecordedRoom {
  struct Carried {
    let from: ParticipantID
    let to: [ParticipantID]?
    let envelope: [UInt8]
    let header: EnvelopeHeader
  }

  let door: Door
  var now = HostTime.seconds(100)
  var rooms: [ParticipantID: SecureChannel] = [:]
  /// What the hub keeps from whom; nil: nothing.
  var withholds: ((EnvelopeHeader, ParticipantID) -> Bool)?
  private(set) var identities: [ParticipantID: Identity] = [:]
  private(set) var record: [Carried] = []
  /// What each was told, transmissions left out.
  private(set) var told: [ParticipantID: [ChannelEffect]] = [:]
  private var seats: [ParticipantID: Member] = [:]
  private var connections: UInt64 = 0
  private var root = ParticipantID.none
  private let random: @Sendable (String) -> (Int) -> [UInt8]

  init() {
    // Every draw is another one: H(name ‖ number), as long as asked for.
    random = { name in
      let draws = Draws(name)
      return { draws.next($0) }
    }
    let secret = Secret(random: random("door"))
    door = Door(session: Hash.sha256(Array("session".utf8)), secret: secret)
  }

  private final class Draws {
    private let name: [UInt8]
    private var number: UInt32 = 0

    init(_ name: String) { self.name = Array(name.utf8) }

    func next(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        var writer = ByteWriter()
        writer.append(name)
        writer.integer(number)
        number += 1
        bytes += Hash.sha256(writer.bytes)
      }
      return Array(bytes.prefix(count))
    }
  }

  /// Makes a session object; it is in no room yet.
  mutating func make(_ name: String, isCreator: Bool = false) -> ParticipantID {
    let identity = Identity(random: random("keys of " + name))
    identities[identity.id] = identity
    if isCreator { root = identity.id }
    rooms[identity.id] = SecureChannel(
      door: door, identity: identity, root: root, isCreator: isCreator, random: random(name))
    return identity.id
  }

  /// A new connection of `id`, which replaces its older one.
  mutating func enter(_ id: ParticipantID, carrying: Bool = true) {
    now += .milliseconds(200)
    connections += 1
    let seat = Member(id: id, connection: connections, age: UInt32(10_000 - connections))
    seats[id] = seat
    carry(
      rooms[id]?.entered(members: seats.values.filter { $0.id != id }, now: now) ?? [], from: id, carrying: carrying)
    for other in seats.keys where other != id {
      carry(rooms[other]?.presence(joined: [seat], gone: [], now: now) ?? [], from: other, carrying: carrying)
    }
  }

  @discardableResult
  mutating func say(
    _ bytes: [UInt8], from id: ParticipantID, unordered: Bool = false, carrying: Bool = true
  ) -> [UInt8] {
    let message = InnerMessage.data(number: 0, bytes: bytes)
    let effects = rooms[id]?.send(message, to: nil, unordered: unordered, now: now) ?? []
    carry(effects, from: id, carrying: carrying)
    return record.last?.envelope ?? []
  }

  /// Carries effects out; with `carrying` false the hub keeps the envelopes for itself.
  mutating func carry(_ effects: [ChannelEffect], from id: ParticipantID, carrying: Bool = true) {
    var waiting = effects.map { (id, $0) }[...]
    while let (sender, effect) = waiting.popFirst() {
      guard case .transmit(let envelope, let to) = effect else {
        told[sender, default: []].append(effect)
        continue
      }
      guard let header = try? EnvelopeHeader(envelope: envelope) else { continue }
      record.append(Carried(from: sender, to: to, envelope: envelope, header: header))
      guard carrying else { continue }
      for receiver in seats.keys.sorted() where receiver != sender && to?.contains(receiver) ?? true {
        if let withholds, withholds(header, receiver) { continue }
        let answers = rooms[receiver]?.received(envelope, now: now) ?? []
        waiting += answers.map { (receiver, $0) }
      }
    }
  }

  /// Hands an envelope to one participant alone, as a hub may; what it was told by that.
  mutating func replay(_ envelope: [UInt8], to id: ParticipantID) -> [ChannelEffect] {
    rooms[id]?.received(envelope, now: now) ?? []
  }
}
