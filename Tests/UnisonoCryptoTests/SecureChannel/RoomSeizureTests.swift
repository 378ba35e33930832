import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Who takes a device during the session, and has recorded the room")
struct RoomSeizureTests {
  /// What is in an envelope of kind 0, for whoever has the invite.
  private func content(_ envelope: [UInt8], _ door: Door) throws -> [UInt8] {
    let key = SendKey(chain: door.chain, scope: door.scope, header: try EnvelopeHeader(envelope: envelope))
    return try Envelope.open(envelope, key: key).content
  }

  private func sealed(_ envelope: [UInt8], _ door: Door) throws -> [UInt8]? {
    guard case .welcome(let message)? = try InnerMessage.decode(content(envelope, door)) else { return nil }
    return message.sealed
  }

  /// A creator, and a guest that asked it for the key.
  private func pair(isAnswered: Bool = true) -> (RecordedRoom, creator: ParticipantID, guest: ParticipantID) {
    var hub = RecordedRoom()
    let creator = hub.make("creator", isCreator: true)
    let guest = hub.make("guest")
    hub.enter(creator)
    if !isAnswered { hub.withholds = { $0.sender == creator && $1 == guest } }
    hub.enter(guest)
    return (hub, creator, guest)
  }

  @Test("5.3: the keys of the device do not open the welcome that it was handed, and what did is gone after 10 s")
  func welcome() throws {
    let (hub, creator, guest) = pair()
    let door = hub.door
    let hello = try #require(
      try hub.record.filter { $0.from == guest && $0.header.kind == .door }.map { $0.envelope }.first)
    let answer = try #require(
      try hub.record.filter { $0.from == creator && $0.header.kind == .door }
        .compactMap { try sealed($0.envelope, door) }.first)
    let seal = WelcomeSeal(scope: door.scope, welcomer: creator, newcomer: guest, hello: try content(hello, door))
    let device = try #require(hub.identities[guest])
    #expect(throws: WelcomeError.seal) { try seal.open(answer, with: device.hybrid) }
    var room = try #require(hub.rooms[guest])
    #expect(room.isSecured)
    _ = room.tick(now: hub.now.adding(.seconds(10)))
    #expect(!room.requests.hasOpenHello)
  }

  @Test("5.5: a question that nobody answered keeps its key for 10 s and no longer")
  func unanswered() throws {
    let (hub, creator, guest) = pair(isAnswered: false)
    var room = try #require(hub.rooms[guest])
    #expect(room.requests.hello(to: creator) != nil)
    var requests = room.requests
    requests.endSearch()
    room = room.replacing(requests: requests)
    let erasure = try #require(room.nextErasure)
    #expect(erasure == hub.now.adding(.seconds(10)))
    _ = room.tick(now: erasure.subtracting(1))
    #expect(room.requests.hasOpenHello)
    _ = room.tick(now: erasure)
    #expect(!room.requests.hasOpenHello)
  }
}
