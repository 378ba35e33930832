/// The host's own pointer on its way to the loop: never looked into.
struct UserPointer: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?

  init(_ pointer: UnsafeMutableRawPointer?) { self.pointer = pointer }
}
