/// What a person is asked before anything is opened.
struct Question: Sendable {
  /// One line.
  var title: String
  /// Who, for what; one sentence or two.
  var text: String
  /// To compare with the other screen; nil: nothing to compare.
  var digits: String?

  /// "123 456": easier to read aloud.
  var spacedDigits: String? { digits.map { "\($0.prefix(3)) \($0.suffix(3))" } }
}
