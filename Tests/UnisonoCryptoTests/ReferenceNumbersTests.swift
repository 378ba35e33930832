import Testing
import UnisonoReplica

@testable import UnisonoCrypto

@Suite("Numbers of the reference (wire 13)") struct ReferenceNumbersTests {
  @Test("section 13: ids, keys, invite and envelope of the reference come out")
  func numbers() throws {
    #expect(Fixture.alice.id.bytes.hex == "61bc7754fdefbc017a7f52e3a1b4ac99")
    #expect(Fixture.origin.bytes.hex == "0161bc7754fdefbc017a7f52e3a1b4ac990002")
    #expect(Fixture.origin.session.hex == "3c30916519d0262c9fa0ec402202678327b4789cc7874b137460d20d8feaa0b4")
    #expect(Fixture.door.topic.hex == "9c388ec03f34c7a8b5cb1af239565a32b59cfcabd1aacca77f0535386f6204ab")
    #expect(Fixture.door.chain.bytes.hex == "0ec254cc90cc0b1a08c3197914804bbba195ea8f2ca112fb60063950683c6dfd")
    let invite = try Invite(
      origin: Fixture.origin, door: Fixture.secret("test door secret"), hubs: [HubAddress(address: "192.168.1.5:7400", hub: Fixture.hub.publicKey.hashedID)])
    #expect(
      invite.text
        == "unisono://192.168.1.5:7400/aeybmpqit7mcmvbytzsjliidv727iipgl7snyj2mypnwk2gk2xnsqyn4o5kp3354af5h6uxdug2kzgiaakkab2kk")
    #expect(Fixture.epoch.id.bytes.hex == "89eeda4a2adefa0b")
    #expect(
      Fixture.epoch.advanced()?.chain.bytes.hex == "44805cd769596468ffd6507cb1c91f308849bd7ce4c37627d8574502a961e5f4")
    let header = Fixture.header()
    #expect(
      Fixture.key(header).secret.bytes.hex == "07bc63a3ff765099e1e7090ba8604b0d874f4055f522080d24676aaa4081d446")
    let envelope = try Fixture.seal([9] + Array("hello".utf8), header)
    #expect(envelope.count == 194)
    #expect(Hash.sha256(envelope).hex == "2737211005b6f7defd92209e85fa90bf63243ff00ed32a4a6e503ff1cc080656")
  }

  @Test("the policy of an origin is the id of the empty stack")
  func policy() {
    #expect(PolicyStack.origin.bytes.hex == "e3b0c44298fc1c149afbf4c8996fb924")
    #expect(PolicyStack.id(levels: [[1, 2], [3]]).bytes == Hash.truncated([1, 2, 3]))
  }

  @Test("each label ends with the only zero in it, so that none is another's prefix")
  func labels() {
    let labels = Label.allCases.map(\.bytes)
    #expect(labels.count == 27)
    for label in labels {
      #expect(label.firstIndex(of: 0) == label.count - 1)
      #expect(labels.filter { $0.starts(with: label) }.count == 1)
    }
  }
}
