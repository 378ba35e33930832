import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Statement signatures") struct StatementTests {
  private let session = Fixture.origin.session
  private let body: [UInt8] = Array("a body as it was encoded".utf8)

  @Test("hold for the author, the session and the bytes that were signed, and for nothing else")
  func signatures() {
    let signed = StatementSignature.sign(body, session: session, author: Fixture.alice.signing)
    let author = Fixture.alice.signing.publicKey
    #expect(signed.body == body)
    #expect(StatementSignature.verifies(signed, session: session, author: author))
    #expect(!StatementSignature.verifies(signed, session: session, author: Fixture.bob.signing.publicKey))
    #expect(!StatementSignature.verifies(signed, session: Hash.sha256([]), author: author))
    let longer = SignedStatement(body: body + [0], signature: signed.signature)
    #expect(!StatementSignature.verifies(longer, session: session, author: author))
    for count in [0, 63, 65] {
      let odd = SignedStatement(body: body, signature: Array((signed.signature + [0]).prefix(count)))
      #expect(!StatementSignature.verifies(odd, session: session, author: author))
    }
  }

  @Test("a text signed for one purpose is valid for no other", arguments: Label.allCases)
  func labels(_ label: Label) {
    let signature = Fixture.alice.signing.sign(label, session + body)
    let signed = SignedStatement(body: body, signature: signature)
    let author = Fixture.alice.signing.publicKey
    #expect(StatementSignature.verifies(signed, session: session, author: author) == (label == .statement))
  }

  @Test("Z35: a statement with an item of a later version is relayed byte for byte, its signature valid")
  func later() throws {
    var writer = ItemWriter()
    writer.item(1, [2])
    writer.item(60, Array("later".utf8))
    let signed = StatementSignature.sign(writer.bytes, session: session, author: Fixture.alice.signing)
    let message = InnerMessage.update(statements: [signed], intros: [])
    let read = try #require(try InnerMessage.decode(message.encoded))
    guard case .update(let statements, _, _) = read else {
      Issue.record("no update came out")
      return
    }
    #expect(statements == [signed])
    #expect(StatementSignature.verifies(statements[0], session: session, author: Fixture.alice.signing.publicKey))
  }
}
