/// A setting as somebody wrote it, and where.
struct HubSetting: Equatable {
  enum Origin: Equatable {
    case option
    case variable
    case file(String, line: Int)
    case standard
  }

  /// One for settings that are no lists.
  var values: [String]
  var origin: Origin

  /// Where somebody finds it, for messages and `--check`.
  func place(of key: HubKey) -> String {
    switch origin {
    case .option: "--\(key.rawValue)"
    case .variable: key.variable
    case .file(let file, let line): "\(file), line \(line): \(key.rawValue)"
    case .standard: "the default of \(key.rawValue)"
    }
  }

  /// The same for one who reads all of them in a list.
  func source(of key: HubKey) -> String {
    switch origin {
    case .option: "option --\(key.rawValue)"
    case .variable: "variable \(key.variable)"
    case .file(let file, let line): "\(file), line \(line)"
    case .standard: "default"
    }
  }
}
