/// A file of a hub's site, open. Looking for it waits for the disk: that belongs elsewhere (`performElsewhere`).
struct SiteFile: Sendable {
  let file: DiskFile
  /// As it was when it was opened.
  let state: FileState

  /// nil: there is none that may be read. Of a folder no link is followed: it might lead out of it.
  init?(_ place: HubSite.Place, in site: HubSite) {
    let opened: DiskFile?
    switch (place, site.media) {
    case (.page(let names), _): opened = try? DiskFile(below: site.page, names)
    case (.film(let name), .folder(let folder)): opened = try? DiskFile(below: folder, [name])
    case (.film(let name), .films(let paths, _)): opened = paths[name].flatMap { try? DiskFile($0, DiskFile.forReading) }
    case (.film, nil), (.films, _): opened = nil
    }
    guard let opened, let state = try? opened.state() else { return nil }
    file = opened
    self.state = state
  }
}
