import CUnisono
import UnisonoBase

/// What a group does together, as far as a device that may take part has to know it.
struct GroupActivity: Equatable, Sendable {
  var identifier: String
  /// For people; "": it has none.
  var title = ""
  /// Where it can be taken part in without its program; nil: nowhere.
  var fallbackURL: String?
  /// A device that finds it under way may go on with it.
  var supportsContinuation = false
  /// Who began it; "": nobody that is known.
  var beginner = ""

  /// Of the activity, for people.
  var name: String { title.isEmpty ? identifier : title }

  /// The address, where it is one that may be opened: of the web, encrypted, in plain ASCII.
  var page: String? {
    guard let fallbackURL, fallbackURL.hasPrefix("https://"), fallbackURL.utf8.count > 8,
      fallbackURL.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return fallbackURL
  }
}

extension GroupActivity {
  init(_ c: unisono_activity, by beginner: String) {
    self.init(identifier: VisibleText.plain(String(cString: c.identifier)), beginner: beginner)
    if let title = c.title { self.title = VisibleText.plain(String(cString: title)) }
    if let url = c.fallback_url { fallbackURL = String(cString: url) }
    supportsContinuation = c.supports_continuation != 0
  }
}
