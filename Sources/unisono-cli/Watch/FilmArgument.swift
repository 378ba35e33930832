import Glibc

/// A film as a person names it: a file or an address.
enum FilmArgument {
  static func isAddress(_ text: String) -> Bool { text.contains("://") }

  /// What is wrong with it; nil: it is an address, or there is such a file.
  static func fault(_ text: String) -> String? {
    if isAddress(text) || access(text, R_OK) == 0 { return nil }
    return "\(text): \(String(cString: strerror(errno)).lowercased())"
  }
}
