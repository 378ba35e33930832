import UnisonoRuntime

/// The page for browsers of one who watches, and the films that go with it: files alone, behind a key that only invites' links have.
struct FilmSite {
  let site: HubSite
  private let key: String

  init(_ films: [String]) throws(NetworkError) {
    var generator = SystemRandomNumberGenerator()
    key = String(UInt64.random(in: 1 << 60...UInt64.max, using: &generator), radix: 16)
    var paths: [String: String] = [:]
    // As the plugin names what the group watches.
    for film in films where !FilmArgument.isAddress(film) {
      let name = film.lastIndex(of: "/").map { String(film[film.index(after: $0)...]) } ?? film
      paths[name] = paths[name] ?? film
    }
    site = HubSite(page: try WebFolder.find(), media: .films(paths, key: key))
  }

  /// `address`: "host:port" of the hub that serves it.
  func page(at address: String) -> String { "http://\(address)/page/?key=\(key)" }
}
