import Testing

@testable import UnisonoCrypto

@Suite("Passes, tokens and lines of hubs") struct PassTests {
  @Test("tokens and passes come out as in the vectors; what was changed, or is another hub's, is forged", arguments: Vectors.cases("pass"))
  func passes(_ vector: VectorCase) throws {
    let given = vector.given
    let secret = HubSecret(try #require(Secret(try given.bytes("hub_secret"))))
    let hub = try given.bytes("hub")
    var bytes: [UInt8]
    if let expected = vector.expected {
      let terms = TokenTerms(serial: try given.integer("serial"), until: try given.integer("until"), rooms: try given.integer("rooms"))
      let token = secret.token(terms)
      #expect(try token.bytes == expected.bytes("token"))
      #expect(HubToken(bytes: token.bytes) == token)
      bytes = token.pass(hub: hub, group: try given.bytes("group"))
      #expect(try bytes == expected.bytes("pass"))
    } else {
      bytes = try given.bytes("pass")
    }
    let pass = secret.verified(pass: bytes, hub: hub)
    let hour = try given.integer("hour", UInt32.self)
    let revoked = given.has("revoked") ? try given.textList("revoked").compactMap { UInt64($0) } : []
    let result =
      if bytes.count != HubPass.length { "length" }
      else if let pass { hour >= pass.terms.until ? "expired" : revoked.contains(pass.terms.serial) ? "revoked" : "ok" }
      else { "forged" }
    #expect(result == vector.open)
  }

  @Test("the line of a hub reads as it is written, and what it is not is said", arguments: Vectors.cases("line"))
  func lines(_ vector: VectorCase) throws {
    let text = try vector.given.text("text")
    guard let expected = vector.expected else {
      #expect(outcome { _ = try HubLine(parsing: text) } == vector.open)
      return
    }
    let line = try HubLine(parsing: text)
    #expect(try line.address.address == expected.text("address"))
    #expect(try line.address.hub == expected.bytes("hub"))
    #expect(try line.token?.bytes == (expected.has("token") ? expected.bytes("token") : nil))
    #expect(try line.text == (expected.has("written") ? expected.text("written") : text))
  }
}
