import Testing

@testable import unisono_cli

@Suite struct GroupOfferTests {
  private func programs() throws -> [String: ActivitySettings] {
    ["org.example.film": try ActivitySettings(identifier: "org.example.film", ["command": .texts(["player", "{invite}"])])]
  }

  private func offer(_ activity: GroupActivity, isUnderWay: Bool = false, isInstalled: Bool = true) throws -> GroupOffer {
    try GroupOffer(activity, among: programs(), isUnderWay: isUnderWay) { $0 == "player" && isInstalled }
  }

  private let film = GroupActivity(identifier: "org.example.film", title: "A film", fallbackURL: "https://example.org/film")

  @Test("F52: what a group begins is offered with its program, and without one at the address that it names")
  func offers() throws {
    let program = try #require(programs()["org.example.film"])
    #expect(try offer(film) == .program(program))
    #expect(try offer(film, isInstalled: false) == .page("https://example.org/film"))
    var other = film
    other.identifier = "org.example.game"
    #expect(try offer(other) == .page("https://example.org/film"))
    other.fallbackURL = nil
    #expect(try offer(other) == .nothing("no program is configured for it, and it names no https address to go to instead"))
    var bare = film
    bare.fallbackURL = nil
    #expect(
      try offer(bare, isInstalled: false) == .nothing("player is not installed, and it names no https address to go to instead"))
  }

  @Test("F52: what is under way is offered only where it may be gone on with")
  func continuation() throws {
    #expect(try offer(film, isUnderWay: true) == .nothing("it is under way, and not to be gone on with"))
    var going = film
    going.supportsContinuation = true
    #expect(try offer(going, isUnderWay: true) == .program(try #require(programs()["org.example.film"])))
  }

  @Test(
    "Z29: only addresses of the web in plain letters are opened",
    arguments: [
      "http://example.org", "file:///etc/passwd", "https://", "--help", "javascript:1", "https://a b", "https://exämple.org",
      "https://a\u{202E}b", "HTTPS://example.org",
    ])
  func addresses(_ address: String) {
    #expect(GroupActivity(identifier: "a", fallbackURL: address).page == nil)
  }

  @Test("F52: five questions in five minutes that nobody says yes to, and no more")
  func limit() {
    var limit = OfferLimit()
    let seconds: [Int64] = [0, 1, 2, 3, 4, 299, 300, 300]
    let may = seconds.map { limit.mayAsk(at: $0 * 1_000_000_000) }
    #expect(may == [true, true, true, true, true, false, true, false])
    limit.agreed()
    let mayAgain = limit.mayAsk(at: 300 * 1_000_000_000)
    #expect(mayAgain)
  }
}
