/// Call from any thread that makes an object on the loop and waits for it.
final class LoopCall<Made>: @unchecked Sendable {
  private let make: () throws(Failure) -> Made
  private var result: Result<Made, Failure>?

  init(_ make: @escaping () throws(Failure) -> Made) { self.make = make }

  func run(in context: ContextObject) throws(Failure) -> Made {
    try context.perform { [self] in
      do throws(Failure) {
        result = .success(try make())
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { throw ContextObject.closed }
    return try result.get()
  }
}
