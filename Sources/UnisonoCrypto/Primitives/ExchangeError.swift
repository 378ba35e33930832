import UnisonoBase

/// Error of an exchange of frames, which tells unreadable bodies and refused keys apart.
protocol ExchangeError: Error {
  static func malformed(_ error: WireError) -> Self
  static func key(_ error: KeyError) -> Self
  /// Any other error.
  static var unforeseen: Self { get }
}

/// Result of `body`; errors of reading and of keys become those of the exchange.
func rethrowing<Value, Failure: ExchangeError>(
  as failure: Failure.Type, _ body: () throws -> Value
) throws(Failure) -> Value {
  do {
    return try body()
  } catch let error as KeyError {
    throw .key(error)
  } catch let error as WireError {
    throw .malformed(error)
  } catch let error as Failure {
    throw error
  } catch {
    throw .unforeseen
  }
}
