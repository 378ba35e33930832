import Testing
import UnisonoReplica

@testable import UnisonoCrypto

@Suite("Invite") struct InviteTests {
  private static let text = "unisono://10.0.0.1:7400/\(hubID)/hub.example.org:443/\(hubID)/\(key)"
  private static let hubID = Base32.encode(Fixture.hub.publicKey.hashedID)
  private static let key = "aiybmpqit7mcmvbytzsjliidv727iipgl7snyj2mypnwk2gk2xnsqyn4o5kp3354af5h6uxdug2kzgiaais5is5b"
  /// What fingers and mailers produce.
  private static let characters = (0x20...0x7e).map { UInt8($0) }

  @Test("reads what it makes, and makes what it reads", arguments: Vectors.good("invite"))
  func good(_ vector: VectorCase) throws {
    let expected = try #require(vector.expected)
    let invite = try Invite(parsing: vector.given.text("text"))
    #expect(try invite.origin.bytes == expected.bytes("origin"))
    #expect(try invite.origin.session == expected.bytes("session"))
    #expect(try invite.door.bytes == expected.bytes("door"))
    let hubs = try expected.objects("hubs").map {
      HubAddress(address: try $0.text("address"), hub: try $0.bytes("hub"))
    }
    #expect(invite.hubs == hubs)
    let passes = try expected.objects("hubs").filter { $0.has("pass") }.map { (try $0.bytes("hub"), try $0.bytes("pass")) }
    #expect(invite.passes == Dictionary(uniqueKeysWithValues: passes))
    let made = try Invite(origin: invite.origin, door: invite.door, hubs: hubs, passes: invite.passes)
    #expect(try made.text == (expected.has("written") ? expected.text("written") : vector.given.text("text")))
  }

  @Test("F45: no character of an invite means anything to a shell or ends a link in a messenger")
  func harmless() throws {
    let hubs = ["[fe80::1]:7400", "hub.example.org:443", "10.0.0.7:1"].map {
      HubAddress(address: $0, hub: Fixture.hub.publicKey.hashedID)
    }
    let text = try Invite(origin: Fixture.origin, door: Fixture.secret("test door secret"), hubs: hubs).text
    let harmless = Set("abcdefghijklmnopqrstuvwxyz0123456789:/.-")
    #expect(text.allSatisfy(harmless.contains))
    #expect(text.last.map { $0.isLetter || $0.isNumber } == true)
    #expect(try Invite(parsing: text).hubs == hubs)
  }

  @Test("F45: a line that a host printed is read as it was pasted: with words in front, quotes and line ends")
  func pastedLines() throws {
    let invite = try Invite(parsing: Self.text)
    let lines = [
      "invite \(Self.text)", "join with: ./hello \(Self.text)\n", "> Ann: \"\(Self.text)\".", "<\(Self.text)>",
    ]
    for line in lines { #expect(try Invite(parsing: line) == invite, "\(line)") }
    #expect(throws: InviteError.scheme) { try Invite(parsing: "x\(Self.text)") }
    #expect(throws: InviteError.self) { try Invite(parsing: String(repeating: " a", count: 129) + Self.text) }
    #expect(throws: InviteError.self) { try Invite(parsing: "\(Self.text) film.mkv") }
  }

  @Test("says which part is wrong", arguments: Vectors.bad("invite"))
  func bad(_ vector: VectorCase) throws {
    let text = try vector.given.text("text")
    do {
      _ = try Invite(parsing: text)
      Issue.record("was accepted")
    } catch {
      #expect(vectorName(error) == vector.open)
      #expect(error.isVersion == (vector.open == "version"))
      #expect(error.message.hasPrefix("the invite"))
    }
  }

  @Test("Z37: a mistyped character of the key, the scheme or the form is an error, never another session")
  func mistyped() throws {
    let original = Array(Self.text.utf8)
    let invite = try Invite(parsing: Self.text)
    let slash = try #require(original.lastIndex(of: UInt8(ascii: "/")))
    var strayed: [String] = []
    for index in original.indices {
      for character in Self.characters where character != original[index] {
        var typed = original
        typed[index] = character
        guard let read = try? Invite(parsing: String(decoding: typed, as: UTF8.self)) else { continue }
        // Another address may be typed, and a capital for a small letter; the keys stay what they were.
        let isCapital = character | 0x20 == original[index]
        if index < 10 || index > slash, !isCapital {
          strayed.append(String(decoding: typed, as: UTF8.self))
        } else if read.origin != invite.origin || read.door != invite.door {
          strayed.append(String(decoding: typed, as: UTF8.self))
        }
      }
    }
    #expect(strayed == [])
  }

  @Test("Z37: a character lost, doubled or swapped with its neighbour in the key is an error")
  func slips() throws {
    let original = Array(Self.text.utf8)
    let slash = try #require(original.lastIndex(of: UInt8(ascii: "/")))
    for index in slash..<original.count {
      var lost = original
      lost.remove(at: index)
      #expect(throws: InviteError.self) { try Invite(parsing: String(decoding: lost, as: UTF8.self)) }
      // A slash more at the end of the hubs is an empty part.
      var doubled = original
      doubled.insert(original[index], at: index)
      #expect(throws: InviteError.self) { try Invite(parsing: String(decoding: doubled, as: UTF8.self)) }
      guard index + 1 < original.count, original[index] != original[index + 1] else { continue }
      var swapped = original
      swapped.swapAt(index, index + 1)
      #expect(throws: InviteError.self) { try Invite(parsing: String(decoding: swapped, as: UTF8.self)) }
    }
  }

  @Test("Z37: every invite cut short is an error")
  func prefixes() {
    for count in 0..<Self.text.utf8.count {
      #expect(throws: InviteError.self) { try Invite(parsing: String(Self.text.prefix(count))) }
    }
  }

  @Test("cannot be made of hubs that have no spelling")
  func hubs() throws {
    let door = Fixture.secret("test door secret")
    func error(_ hubs: [HubAddress]) -> InviteError? {
      do {
        _ = try Invite(origin: Fixture.origin, door: door, hubs: hubs)
        return nil
      } catch {
        return error
      }
    }
    let good = HubAddress(address: "a:1", hub: Fixture.hub.publicKey.hashedID)
    #expect(error([]) == .address)
    #expect(error([HubAddress(address: "a b:1", hub: Fixture.hub.publicKey.hashedID)]) == .address)
    #expect(error([HubAddress(address: "a/b:1", hub: Fixture.hub.publicKey.hashedID)]) == .address)
    #expect(error([good, HubAddress(address: "a#:1", hub: Fixture.hub.publicKey.hashedID)]) == .address)
    #expect(error([HubAddress(address: "a.ipv6:1", hub: Fixture.hub.publicKey.hashedID)]) == .address)
    #expect(error([good, HubAddress(address: "b:1", hub: [1, 2])]) == .hubID)
    #expect(error(Array(repeating: good, count: 17)) == .tooManyHubs)
    let long = HubAddress(address: String(repeating: "a", count: 250) + ":65535", hub: good.hub)
    #expect(error(Array(repeating: long, count: 16)) == .tooLong)
    #expect(error(Array(repeating: good, count: 16)) == nil)
  }

  @Test("base 32: every length goes there and back, in capitals too, and has one spelling")
  func base32() {
    let random = Fixture.random("base32")
    for count in 0...70 {
      let bytes = random(count)
      let text = Base32.encode(bytes)
      #expect(Base32.decode(text.utf8) == bytes)
      #expect(Base32.decode(text.uppercased().utf8) == bytes)
      #expect(Base32.decode((text + "=").utf8) == nil)
    }
    #expect(Base32.encode(Array("foobar".utf8)) == "mzxw6ytboi")
    for text in ["a", "ab", "aab", "aaab", "aaaaab", "aaaaaaab8", "0a"] { #expect(Base32.decode(text.utf8) == nil) }
  }
}
