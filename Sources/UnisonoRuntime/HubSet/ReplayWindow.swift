/// Which numbers of a run's messages came already: each is accepted once, and none that is far below the greatest.
///
/// A run numbers all its messages, and another run sees some of them, by several ways. So numbers come with holes and a little out of
/// order, and that is no fault; twice, or an hour late, is.
struct ReplayWindow {
  /// Numbers below the greatest by this and more are too old.
  static let width: UInt64 = 4_096

  private var floor: UInt64
  private var greatest: UInt64
  /// One bit for each number of the window, by its remainder.
  private var seen = [UInt64](repeating: 0, count: Int(width / 64))

  /// Nothing up to `floor` is accepted.
  init(above floor: UInt64) {
    self.floor = floor
    greatest = floor
  }

  /// The greatest number that came.
  var last: UInt64 { greatest }

  /// false: it came before, or might have.
  mutating func accept(_ number: UInt64) -> Bool {
    if number > greatest {
      let passed = min(number - greatest, Self.width)
      for step in 1...passed { clear(greatest &+ step) }
      greatest = number
    } else if number <= floor || greatest - number >= Self.width || isSeen(number) {
      return false
    }
    seen[Int(number % Self.width / 64)] |= 1 << (number % 64)
    return true
  }

  /// Nothing up to `number` is accepted from now on.
  mutating func raise(to number: UInt64) { floor = max(floor, number) }

  private func isSeen(_ number: UInt64) -> Bool { seen[Int(number % Self.width / 64)] & 1 << (number % 64) != 0 }

  private mutating func clear(_ number: UInt64) { seen[Int(number % Self.width / 64)] &= ~(1 << (number % 64)) }
}
