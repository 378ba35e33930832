import UnisonoBase

/// How it is with an audience, by its hub's word: COUNT (wire 3.14).
package struct AudienceCount: Equatable, Sendable {
  package var listeners: UInt32
  /// Envelopes of listeners that publishers were not given, since the audience was opened there; told to publishers alone.
  package var leftOut: UInt32

  package init(listeners: UInt32, leftOut: UInt32 = 0) {
    self.listeners = listeners
    self.leftOut = leftOut
  }

  init(_ body: [UInt8]) throws(WireError) {
    var listeners: UInt32?
    var leftOut: UInt32 = 0
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: listeners = try item.integer()
      case 3: leftOut = try item.integer()
      default: try item.unknown()
      }
    }
    self.init(listeners: try listeners.required(), leftOut: leftOut)
  }
}
