import Testing
import UnisonoReplica

@testable import UnisonoCrypto

@Suite("Numbers of the reference (wire 13)") struct ReferenceNumbersTests {
  @Test("section 13: ids, keys, invite and envelope of the reference come out")
  func numbers() throws {
    #expect(Fixture.alice.id.bytes.hex == "61bc7754fdefbc017a7f52e3a1b4ac99")
    #expect(Fixture.origin.bytes.hex == "0261bc7754fdefbc017a7f52e3a1b4ac990002")
    #expect(Fixture.origin.session.hex == "ec0314de8b2ac9e09deeee6cba147c727aff1195f07b4bade434a767d373abec")
    #expect(Fixture.door.topic.hex == "f67c1ee38dd87a924a8d1facdd44008efd3d9d53a361cd26f200e52989ccae40")
    #expect(Fixture.door.chain.bytes.hex == "6000a93556f90dee80a2c57a3ace5ea57f48990f64987bf58a5733565a5d6b0c")
    let invite = try Invite(
      origin: Fixture.origin, door: Fixture.secret("test door secret"), hubs: [HubAddress(address: "192.168.1.5:7400", hub: Fixture.hub.publicKey.hashedID)])
    #expect(
      invite.text
        == "unisono://192.168.1.5:7400/qz2wm7gb5p4zfg6grtliwvabmm/aiybmpqit7mcmvbytzsjliidv727iipgl7snyj2mypnwk2gk2xnsqyn4o5kp3354af5h6uxdug2kzgiaais5is5b")
    #expect(Fixture.founding.id.bytes.hex == "c7fde410122ac40f7f312229f3ab088e7098c7b954581d41bb5640ad7338e8f4")
    let header = Fixture.header()
    #expect(
      Fixture.key(header).secret.bytes.hex == "93b51e518db3984ca60c2dda6432a7948ff7f634ea807336f0bf1b23913e957c")
    let envelope = try Fixture.seal([9] + Array("hello".utf8), header)
    #expect(envelope.count == 578)
    #expect(Hash.sha256(envelope).hex == "76b792a2a84ec3261353b5fe6e270d2f9a0dc612842a804667dfd56e126b4dce")
  }

  @Test("the policy of an origin is the id of the empty stack")
  func policy() {
    #expect(PolicyStack.origin.bytes.hex == "e3b0c44298fc1c149afbf4c8996fb924")
    #expect(PolicyStack.id(levels: [[1, 2], [3]]).bytes == Hash.truncated([1, 2, 3]))
  }

  @Test("each label ends with the only zero in it, so that none is another's prefix")
  func labels() {
    let labels = Label.allCases.map(\.bytes)
    #expect(labels.count == 43)
    for label in labels {
      #expect(label.firstIndex(of: 0) == label.count - 1)
      #expect(labels.filter { $0.starts(with: label) }.count == 1)
    }
  }
}
