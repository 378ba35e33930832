import Testing

@testable import UnisonoBase

@Suite("Texts for people") struct VisibleTextTests {
  @Test("Z83: controls, ends of lines, marks of direction and noncharacters are replaced, one for one; all else stays")
  func replaced() {
    let bad: [UInt32] = [
      0, 7, 0x1B, 0x1F, 0x7F, 0x9B, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069, 0xFDD0, 0xFDEF,
      0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF,
    ]
    for value in bad {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a" + String(Character(scalar)) + "b"
      #expect(!VisibleText.isPlain(text), "U+\(String(value, radix: 16))")
      #expect(Array(VisibleText.plain(text).unicodeScalars).map(\.value) == [0x61, 0xFFFD, 0x62])
    }
    for text in ["", "Ann", "Zoë & Jürgen", "日本語", "שלום", "👩‍👩‍👧", "e\u{301}", "\u{FFFD}", "\u{200D}", "a\u{FFFC}b"] {
      #expect(VisibleText.isPlain(text) && VisibleText.plain(text) == text)
    }
  }
}
