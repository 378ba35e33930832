/// The next item is to go on playing, once it is current and nobody has said otherwise about it.
struct Continuation: Sendable {
  var item: ItemID
  var rate: Double
}
