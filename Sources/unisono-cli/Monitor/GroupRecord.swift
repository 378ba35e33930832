/// A group's picture as a line of JSON. Times are in seconds, null where they are not known.
struct GroupRecord {
  var picture: GroupPicture
  /// What has happened since the record before.
  var events: [GroupPicture.Event]

  var line: String {
    let (motion, rate) = Self.words(picture.motion)
    return JSONText.object([
      ("item", picture.item.map(JSONText.quoted)), ("duration", JSONText.seconds(picture.duration)), ("motion", JSONText.quoted(motion)),
      ("rate", String(rate)), ("position", JSONText.seconds(picture.position)), ("connection", JSONText.quoted(picture.connection)),
      ("hub", JSONText.quoted(picture.hub)), ("clock_error", JSONText.seconds(picture.clockError)),
      ("round_trip", JSONText.seconds(picture.roundTrip)), ("participants", JSONText.list(picture.people.map(Self.person))),
      (
        "waiting_for",
        JSONText.list(
          picture.waitedFor.map { JSONText.object([("name", JSONText.quoted($0.name)), ("reason", JSONText.quoted($0.reason))]) })
      ),
      (
        "events",
        JSONText.list(events.map { JSONText.object([("time", JSONText.quoted($0.time)), ("text", JSONText.quoted($0.text))]) })
      ),
    ])
  }

  private static func words(_ motion: GroupPicture.Motion) -> (String, Double) {
    switch motion {
    case .none: ("none", 0)
    case .paused: ("paused", 0)
    case .waiting: ("waiting", 0)
    case .playing(let rate): ("playing", rate)
    }
  }

  private static func person(_ person: GroupPicture.Person) -> String {
    let (state, detail) = words(person.doing)
    return JSONText.object([
      ("name", JSONText.quoted(person.name)), ("state", JSONText.quoted(state)), ("detail", detail.map(JSONText.quoted)),
      ("position", JSONText.seconds(person.position)), ("skew", JSONText.seconds(person.skew)),
      ("clock_error", JSONText.seconds(person.clockError)), ("round_trip", JSONText.seconds(person.roundTrip)),
    ])
  }

  private static func words(_ doing: GroupPicture.Doing) -> (String, String?) {
    switch doing {
    case .notConnected: ("not connected", nil)
    case .nothingOpen: ("nothing open", nil)
    case .elsewhere(let item): ("elsewhere", item)
    case .failed(let why): ("failed", why)
    case .apart(let reason): ("apart", reason)
    case .waitedFor(let reason): ("waited for", reason)
    case .playing(let rate): ("playing", String(rate))
    case .ready: ("ready", nil)
    case .preparing: ("preparing", nil)
    }
  }
}
