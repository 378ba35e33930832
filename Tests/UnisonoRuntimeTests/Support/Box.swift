/// A value in one place, so that expectations can call what changes it.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }

  func callAsFunction<Result>(_ call: (inout Value) -> Result) -> Result { call(&value) }
}
