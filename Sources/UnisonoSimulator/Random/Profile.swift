import UnisonoCore

/// What kind of evening a random run is; drawn from its seed.
public enum Profile: String, CaseIterable, Sendable {
  /// Everything now and then.
  case mixed
  /// Several people press buttons 5 to 200 ms apart.
  case contention
  /// Links break often, and hosts forget commands.
  case faulty
}
