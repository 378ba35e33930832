/// What kind of evening a random run is; drawn from its seed.
package enum Profile: String, CaseIterable, Sendable {
  /// Everything now and then.
  case mixed
  /// Several people press buttons 5 to 200 ms apart.
  case contention
  /// Hubs die, nets fall apart, machines sleep, links stall and break, hosts forget commands.
  case faulty
  /// Up to sixteen participants.
  case large
  /// Most have the library's player over a renderer with habits. Never drawn: only who asks for it gets it.
  case players
  /// One or two members send whatever they can sign, until the founder puts them out. Never drawn, either.
  case byzantine
  /// As mixed, with ranges of people's own in each run. Never drawn, either.
  case interstitials
}
