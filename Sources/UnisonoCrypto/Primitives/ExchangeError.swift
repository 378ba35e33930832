import UnisonoBase

/// Error of an exchange of frames, which tells unreadable bodies and refused keys apart.
protocol ExchangeError: Error {
  static func malformed(_ error: WireError) -> Self
  static func key(_ error: KeyError) -> Self
}

extension ExchangeError {
  /// What `body` reads; bytes that cannot be read are an error of the exchange.
  static func reading<Value>(_ body: () throws(WireError) -> Value) throws(Self) -> Value {
    do { return try body() } catch { throw .malformed(error) }
  }

  /// What `body` makes of a key; one that is not accepted is an error of the exchange.
  static func checking<Value>(_ body: () throws(KeyError) -> Value) throws(Self) -> Value {
    do { return try body() } catch { throw .key(error) }
  }
}
