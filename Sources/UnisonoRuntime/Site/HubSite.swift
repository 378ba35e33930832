/// What a hub serves over plain HTTP at its port, beside its own protocol: the page by which browsers take part, and films.
package struct HubSite: Equatable, Sendable {
  package enum Media: Equatable, Sendable {
    /// The files of a folder, at /media/NAME.
    case folder(String)
    /// Files by their names, each with its path, at /media/KEY/NAME: who does not know the key finds none.
    case films([String: String], key: String)
  }

  /// The folder of the package that `make web` builds; the page is in its folder "page".
  package var page: String
  /// nil: no films.
  package var media: Media?

  package init(page: String, media: Media? = nil) {
    self.page = page
    self.media = media
  }

  /// Where a path of the site leads; nil: nowhere.
  enum Place: Equatable, Sendable {
    /// A file of the page, by the folders in between and its name.
    case page([String])
    /// A film, by its name.
    case film(String)
    /// Where the films are: there is nothing to list, but the page learns that there are some.
    case films
  }

  func place(of path: SitePath) -> Place? {
    guard path.names.first == SitePath.media else { return .page(path.names) }
    var rest = path.names.dropFirst()
    switch media {
    case nil: return nil
    case .folder: break
    case .films(_, let key):
      guard rest.popFirst() == key else { return nil }
    }
    guard rest.count == 1, let name = rest.first else { return nil }
    return path.isFolder ? (name == SitePath.index ? .films : nil) : .film(name)
  }
}
