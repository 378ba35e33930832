import Testing

@Suite("Vectors") struct VectorGroupTests {
  @Test(
    "every group is there, with cases that must work and cases that must not",
    arguments: [
      "invite", "schedule", "link", "xwing", "pass", "line", "probe", "envelope", "intro", "welcome", "private", "rekey", "policy",
      "pairing",
      "padding", "tlv", "frames", "session",
    ])
  func groups(_ group: String) {
    #expect(!Vectors.good(group).isEmpty)
    #expect(["schedule", "padding", "session"].contains(group) != !Vectors.bad(group).isEmpty)
  }
}
