import UnisonoBase

/// A member's answer to a hello: the content key, sealed to the newcomer, and who is known.
package struct WelcomeMessage: Equatable, Sendable {
  /// HPKE output: 32 bytes of key, 44 of sealed text, 16 of tag.
  package static let sealedLength = 92

  /// The welcomer's own INTRO.
  package var intro: [UInt8]
  /// Epoch id, generation and key, for the newcomer alone.
  package var sealed: [UInt8]
  package var intros: [[UInt8]]
  package var levels: [[UInt8]]

  package init(intro: [UInt8], sealed: [UInt8], intros: [[UInt8]] = [], levels: [[UInt8]] = []) {
    self.intro = intro
    self.sealed = sealed
    self.intros = intros
    self.levels = levels
  }

  init(_ reader: ByteReader) throws(WireError) {
    var intro: [UInt8]?
    var sealed: [UInt8]?
    intros = []
    levels = []
    var items = Items(reader, lists: [3, 4])
    while let item = try items.next() {
      switch item.tag {
      case 1: intro = try item.bytes(upTo: WireLimits.intro)
      case 2: sealed = try item.bytes(exactly: Self.sealedLength)
      case 3:
        guard intros.count < WireLimits.introsPerMessage else { throw .count }
        intros.append(try item.bytes(upTo: WireLimits.intro))
      case 4:
        guard levels.count < WireLimits.policyLevels else { throw .count }
        levels.append(try item.bytes(upTo: WireLimits.policyLevel))
      default: try item.unknown()
      }
    }
    self.intro = try intro.required()
    self.sealed = try sealed.required()
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, intro)
    writer.item(2, sealed)
    for intro in intros { writer.item(3, intro) }
    for level in levels { writer.item(4, level) }
  }
}
