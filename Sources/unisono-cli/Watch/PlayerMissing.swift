/// What is wrong with a player on this machine, and what to do about it.
struct PlayerMissing: Error, Equatable {
  var fact: String
  var advice: String
  var message: String { "\(fact); \(advice)" }

  init(_ fact: String, _ advice: String) {
    self.fact = fact
    self.advice = advice
  }
}
