/// What a bridge says of its copy: which file of the room's people stands for it, and whose file is another one than the group's.
enum CopyStatement {
  typealias File = SyncplayMessage.File

  /// As Syncplay compares them.
  private static let sameDuration: Int64 = 2_500_000_000

  /// The first one that differs from the group's film, so that nobody is silent about it; else one that is the same; nil: nobody has any
  /// open.
  static func file(of users: [SyncplayMessage.User], film: File) -> File? {
    let files = users.compactMap(\.file)
    return files.first { difference($0, film) != nil } ?? files.first
  }

  /// How a file differs from the group's film, for people; nil: it does not, as far as both are known.
  static func difference(_ file: File, _ film: File) -> String? {
    if file.name != film.name { return "another file open, \"\(file.name)\"" }
    if file.duration > 0, film.duration > 0, (file.duration - film.duration).magnitude > UInt64(sameDuration) {
      let times = [file.duration, film.duration].map { GroupDrawing.clock($0, tenths: false) }
      return "a file of that name which lasts \(times[0]), the group's \(times[1])"
    }
    if file.size > 0, film.size > 0, file.size != film.size { return "a file of that name and another size" }
    return nil
  }
}
