/// What stands on a command line beside its options: films, and behind "--" options of the player. The parser gives both as one list, the "--" in
/// between, and with them options that it does not know.
struct FilmsAndOptions: Equatable {
  struct Fault: Error, Equatable { var message: String }

  var films: [String]
  var options: [String]

  init(_ words: [String]) throws(Fault) {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    films = Array(words[..<end])
    options = Array(words[end...].dropFirst())
    if let unknown = films.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
      throw Fault(message: "Unknown option '\(unknown.prefix { $0 != "=" })'")
    }
    guard !films.isEmpty else { throw Fault(message: "Missing expected argument '<films> ...'") }
  }
}
