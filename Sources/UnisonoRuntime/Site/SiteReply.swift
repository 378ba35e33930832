/// The answer to a request for a file, once it is known what the file is.
struct SiteReply: Equatable, Sendable {
  /// Status line and fields, with the empty line.
  var head: [UInt8]
  /// The bytes of the file that follow; empty: none.
  var span: Range<UInt64>

  /// `state`: of the file at `request.place`; nil: there is none.
  init(to request: SiteRequest, state: FileState?) {
    span = 0..<0
    if case .films = request.place {
      head = HTTPResponse.head(204, Self.common)
      return
    }
    guard let state else {
      head = HTTPAnswer.noFile.bytes(withBody: !request.isHead)
      return
    }
    let tag = Self.tag(of: state)
    if let wanted = request.ifMatch, !wanted.contains(tag), wanted != ["*"] {
      head = HTTPAnswer.otherState.bytes(withBody: !request.isHead)
      return
    }
    let tagged = Self.common + ["ETag: \(tag)", "Cache-Control: no-cache"]
    if let known = request.ifNoneMatch, known == ["*"] || known.contains(where: { $0 == tag || $0 == "W/" + tag }) {
      head = HTTPResponse.head(304, tagged)
      return
    }
    // A range is of the file that the client has the rest of, or it is not asked for; HEAD has none.
    let wanted = request.ifRange.map { $0 == tag } ?? true && !request.isHead ? request.range : nil
    let range = wanted.map { ByteRange($0, of: state.size) } ?? .whole
    let fields = tagged + Self.fields(of: request.place) + ["Accept-Ranges: bytes"]
    switch range {
    case .whole:
      head = HTTPResponse.head(200, fields + ["Content-Length: \(state.size)"])
      if !request.isHead { span = 0..<state.size }
    case .part(let part):
      head = HTTPResponse.head(
        206,
        fields + ["Content-Length: \(part.upperBound - part.lowerBound)", "Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(state.size)"])
      span = part
    case .unsatisfiable: head = HTTPAnswer.outside(of: state.size).bytes()
    }
  }

  /// Another one for another state, strong: it names all that tells one state of a file from another.
  private static func tag(of state: FileState) -> String {
    "\"" + [state.size, state.inode, UInt64(bitPattern: state.changed)].map { String($0, radix: 16) }.joined(separator: "-") + "\""
  }

  /// No other page has anything of this, and nothing is taken for what it does not say it is.
  private static let common = [
    "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
  ]

  /// What the page may do: its own scripts and worker, any hub, films from here, from a file of the guest's, or from an address that the
  /// guest chose.
  private static let pagePolicy = """
    default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self'; \
    media-src 'self' blob: http: https:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
    """
  /// A film that is none, but a page, does nothing in the name of this one.
  private static let filmPolicy = "default-src 'none'; media-src 'self'; sandbox"

  private static func fields(of place: HubSite.Place) -> [String] {
    switch place {
    case .page(let names):
      let type = MediaType.ofPage(names.last ?? "")
      let isolation = type.hasPrefix("text/html") ? ["Cross-Origin-Opener-Policy: same-origin"] : []
      return ["Content-Type: \(type)", "Content-Security-Policy: \(pagePolicy)"] + isolation
    case .film(let name): return ["Content-Type: \(MediaType.ofFilm(name))", "Content-Security-Policy: \(filmPolicy)"]
    case .films: return []
    }
  }
}
