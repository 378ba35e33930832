/// Media types of files, by the ends of their names.
enum MediaType {
  /// Nothing is known of it: it is kept, not shown.
  static let unknown = "application/octet-stream"

  private static let page = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "json": "application/json", "wasm": "application/wasm", "md": "text/plain; charset=utf-8",
    "ts": "text/plain; charset=utf-8", "txt": "text/plain; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
    "webp": "image/webp", "ico": "image/x-icon",
  ]

  private static let films = [
    "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "mkv": "video/x-matroska", "ogv": "video/ogg",
    "ts": "video/mp2t", "avi": "video/x-msvideo", "mpg": "video/mpeg", "mpeg": "video/mpeg", "mp3": "audio/mpeg", "m4a": "audio/mp4",
    "aac": "audio/aac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav",
    "vtt": "text/vtt; charset=utf-8",
  ]

  static func ofPage(_ name: String) -> String { page[end(of: name)] ?? unknown }

  /// Of films, sound and subtitles alone: a page among them would be one of this site.
  static func ofFilm(_ name: String) -> String { films[end(of: name)] ?? unknown }

  private static func end(of name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }
}
