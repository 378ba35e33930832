import UnisonoBase

/// What a context needs of the loop that it lives on, beside the environment: calls from other threads, the end of a turn, an end.
///
/// Two of them: `UVLoop` on libuv, `SimulatedLoop` on virtual time. Their random bytes are for any thread.
package protocol ContextLoop: Environment, Sendable {
  /// Whether this thread runs the loop just now.
  var isOnLoopThread: Bool { get }
  /// Runs `work` on the loop, soon, in the order of the calls; false: the loop closes and the work is dropped. Any thread.
  @discardableResult func submit(_ work: @escaping @Sendable () -> Void) -> Bool
  /// Runs `work` on the loop and returns when it is done; false: the loop is closed and nothing was done. Any thread.
  func perform(_ work: @escaping @Sendable () -> Void) -> Bool
  /// Something is to be looked at. Any thread.
  func wake()
  /// Adds to what is run at the end of every turn that did something.
  func onEndOfTurn(_ action: @escaping () -> Void)
  /// A timer for an instant that somebody hears or sees.
  func makePunctualTimer(_ fire: @escaping () -> Void) -> any LoopTimer
  /// Binds now, for the next `listen` on the address that is returned. Any thread.
  func reserveListener(on address: String) throws(NetworkError) -> String
  /// The same for the next `openDatagrams`.
  func reserveDatagrams(on address: String) throws(NetworkError) -> String
  /// Closes once and for all: `teardown` runs on the loop as its last work, then `completion` comes.
  func close(teardown: @escaping @Sendable () -> Void, completion: @escaping @Sendable () -> Void)
}
