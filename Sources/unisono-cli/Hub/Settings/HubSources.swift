/// What was written about a hub in one place: its options, its environment, or its file.
enum HubSources {
  typealias Layer = [HubKey: HubSetting]

  /// Variables with the prefix that are no settings: of the system's service, and the file's name.
  private static let others = ["OPTIONS", "CONFIG"]

  /// `unknown`: variables with the prefix that mean nothing. They are not refused: Kubernetes makes some of a service's name.
  static func environment(_ variables: [String: String]) throws(SettingsError) -> (layer: Layer, unknown: [String]) {
    var layer: Layer = [:]
    var unknown: [String] = []
    let known = Dictionary(uniqueKeysWithValues: HubKey.allCases.map { ($0.variable, $0) })
    for (name, value) in variables where name.hasPrefix(HubKey.prefix) {
      guard let key = known[name] else {
        if !others.contains(String(name.dropFirst(HubKey.prefix.count))) { unknown.append(name) }
        continue
      }
      // As if it were not there: what templates make of a value that nobody gave.
      guard !value.isEmpty else { continue }
      let isList = if case .texts = key.kind { true } else { false }
      let values = isList ? value.split { $0 == "," || $0 == " " }.map(String.init) : [value]
      layer[key] = HubSetting(values: values, origin: .variable)
    }
    return (layer, unknown.sorted())
  }

  /// Throws a sentence with the line of what is wrong.
  static func file(_ text: String, named file: String) throws(SettingsError) -> Layer {
    let tables: [TOMLText.Table]
    do throws(TOMLText.Fault) {
      tables = try TOMLText.read(text, withNumbers: true)
    } catch {
      throw SettingsError("\(file), line \(error.line): \(error.message)")
    }
    if let table = tables.dropFirst().first {
      throw SettingsError(
        "\(file), line \(table.line): there are no tables here; take [\(table.path.joined(separator: "."))] away")
    }
    var layer: Layer = [:]
    for (name, value) in (tables.first?.values ?? [:]).sorted(by: { $0.key < $1.key }) {
      let line = tables[0].lines[name] ?? 1
      guard let key = HubKey(rawValue: name) else {
        let hint = HubKey.resembling(name).map { "did you mean \($0.rawValue)?" } ?? "unisono hub --check lists all"
        throw SettingsError("\(file), line \(line): there is no setting \"\(name)\"; \(hint)")
      }
      guard let values = values(of: value, for: key) else {
        throw SettingsError("\(file), line \(line): \(name) is \(wanted(key))")
      }
      layer[key] = HubSetting(values: values, origin: .file(file, line: line))
    }
    return layer
  }

  private static func values(of value: TOMLText.Value, for key: HubKey) -> [String]? {
    switch (key.kind, value) {
    case (.text, .text(let text)), (.texts, .text(let text)), (.duration, .text(let text)): [text]
    case (.texts, .texts(let texts)): texts
    case (.boolean, .boolean(let boolean)): [String(boolean)]
    case (.number, .number(let number)), (.duration, .number(let number)): [String(number)]
    default: nil
    }
  }

  private static func wanted(_ key: HubKey) -> String {
    switch key.kind {
    case .text: "a string in quotes"
    case .texts: "a list of strings"
    case .boolean: "true or false"
    case .number(let range): "a number, \(range.lowerBound)...\(range.upperBound)"
    case .duration: "a number of seconds, or a string as \"10s\""
    }
  }
}
