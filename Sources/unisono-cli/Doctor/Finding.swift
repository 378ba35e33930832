/// What `unisono doctor` found of one thing that watching together needs: what is so, and what to do about it.
struct Finding: Equatable {
  enum Subject: String {
    case player, loop, hub, udp, clock, multicast, nat, outside
  }

  /// `unknown`: it was not tested, or what was tested does not show it.
  enum Verdict: String {
    case good, doubtful, bad, unknown
  }

  /// Something measured, for programs; the value is JSON.
  struct Figure: Equatable {
    var name: String
    var value: String
  }

  var subject: Subject
  var verdict: Verdict
  /// A sentence about what was seen, and no more than that.
  var fact: String
  /// nil: nothing needs to be done.
  var advice: String?
  var figures: [Figure] = []

  /// Nanoseconds as people read them.
  static func duration(_ time: Int64) -> String {
    let digits = time.magnitude < 10_000_000 ? 100 : time.magnitude < 100_000_000 ? 10 : 1
    let rounded = (Double(time) / 1e6 * Double(digits)).rounded() / Double(digits)
    return rounded == rounded.rounded() ? "\(Int64(rounded)) ms" : "\(rounded) ms"
  }
}
