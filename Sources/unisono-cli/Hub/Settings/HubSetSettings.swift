#if NATS
  import UnisonoNATS
#endif
import UnisonoRuntime

/// What a hub has to know to be one of a set: through which servers its hubs hear each other, and the files with what they may know.
struct HubSetSettings: Equatable {
  /// URLs; they may hold a password.
  var servers: [String]
  var credentials: String?
  var authorities: String?
  /// One or two files.
  var keys: [String]

  /// Why this command can be in no set; nil: it can.
  static var missing: String? {
    #if NATS
      nil
    #else
      "is set, and this command was built without NATS; take one that was built with it (swift build --traits NATS), or take it out"
    #endif
  }

  /// A server's URL as it may be shown: without the password in it.
  static func shown(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://"), let at = url.lastIndex(of: "@"), scheme.upperBound < at,
      let colon = url[scheme.upperBound..<at].firstIndex(of: ":")
    else { return url }
    return "\(url[...colon])...\(url[at...])"
  }

  /// What is wrong with a server's URL, without its password.
  static func fault(ofServer url: String) -> String? {
    #if NATS
      do throws(NetworkError) {
        _ = try NATSServer(parsing: url)
      } catch {
        return error.message
      }
    #endif
    return nil
  }
}
