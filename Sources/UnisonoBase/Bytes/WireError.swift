/// Why bytes were refused. Each case has a counter where bytes come in.
package enum WireError: Error, Hashable, Sendable, CaseIterable {
  /// Fewer bytes than announced, or a required item is missing.
  case truncated
  /// Tags or ids not ascending, a doubled one, or tag 0.
  case order
  /// A value of another size than its type has.
  case width
  /// A value outside its range: a boolean of 2, a number that is none, an impossible combination.
  case range
  /// Text that is not UTF-8, has a NUL, or is longer than its limit.
  case text
  /// More elements or bytes than allowed.
  case count
  /// A tag or a type of 128-255 that this version does not know.
  case unknownMustUnderstand
  /// Bytes after the end.
  case trailing
}
