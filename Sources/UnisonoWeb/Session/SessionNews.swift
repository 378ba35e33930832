import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime

// Events of a session as lines of JSON.

extension JSONObject {
  mutating func add(_ state: SessionState) {
    add("status", state.status.name)
    add("connection", state.connection.name)
    add("reason", state.reason.name)
    add("message", visible: state.message)
    add("hub", state.hub?.address)
    add("isAlone", state.isAlone)
    add("isClosed", state.isClosed)
  }

  mutating func add(_ view: CoordinationView, speakers: Set<ParticipantID>, _ change: ParticipantsChange) {
    add("participants", objects: view.participants.map { JSONObject($0, isSpeaking: speakers.contains($0.id)) })
    add("joined", texts: change.joined.map { JSONObject.digits($0.id.bytes) })
    add("left", texts: change.left.map { JSONObject.digits($0.id.bytes) })
  }

  private init(_ participant: ParticipantView, isSpeaking: Bool) {
    add("id", id: participant.id)
    add("person", id: participant.person)
    add("displayName", visible: participant.displayName)
    add("deviceName", visible: participant.deviceName)
    add("connection", participant.connection.name)
    add("role", participant.role.name)
    add("isLocal", participant.isLocal)
    add("item", item: participant.item)
    add("suspensionReasons", texts: participant.suspensionReasons)
    add("isReady", participant.ready)
    add("word", participant.word.name)
    add("rate", participant.rate)
    add("itemTime", time: participant.position?.itemTime)
    add("hostTime", time: participant.position?.hostTime)
    add("roundTrip", time: participant.roundTrip)
    add("clockError", time: participant.clockError)
    add("isSpeaking", isSpeaking)
    add("cutOffset", time: participant.cutOffset)
    add("failure", number: participant.failure)
    add("isGivenUp", participant.isGivenUp)
    add("split", texts: SplitChange.Kind.allCases.filter { participant.split & $0.rawValue != 0 }.map { $0.name })
  }

  mutating func add(_ change: TimingChange) {
    add("status", change.status.name)
    add("cause", change.cause.name)
    add("originator", id: change.originator)
    add("item", item: change.item)
    add("rate", change.rate)
    add("itemTime", time: change.itemTime)
    add("hostTime", time: change.hostTime)
    add("deadline", time: change.deadline)
    add(
      "waitingFor",
      objects: change.waitingFor.map { waiting in
        var object = JSONObject()
        object.add("participant", id: waiting.participant)
        object.add("reason", waiting.reason)
        return object
      })
  }

  /// `name`: that of the author now; nil: it is not here.
  mutating func add(_ chat: ChatNews, name: String?, isOwn: Bool) {
    let entry = chat.entry
    add("author", id: entry.id.author)
    add("number", number: entry.id.number)
    add("name", visible: name ?? (entry.name.isEmpty ? nil : entry.name))
    add("text", chat.isReaction ? VisibleText.plain(entry.text) : VisibleText.plain(lines: entry.text))
    add("isOwn", isOwn)
    add("isHistory", chat.isHistory)
    add("item", item: entry.item)
    add("itemTime", time: entry.itemTime)
    add("hostTime", time: chat.hostTime)
  }

  /// nil: there is none.
  mutating func add(_ activity: Activity?, originator: ParticipantID) {
    add("identifier", activity?.identifier)
    add("type", number: activity?.type ?? 0)
    add("title", visible: activity?.title)
    add("subtitle", visible: activity?.subtitle)
    add("address", activity?.fallbackURL)
    add("payload", Self.digits(activity?.payload ?? []))
    add("image", Self.digits(activity?.previewImage ?? []))
    add("endsWithInitiator", activity?.lifetime == 1)
    add("supportsContinuation", activity?.supportsContinuation == true)
    add("originator", id: originator)
  }

  mutating func add(_ list: Playlist, _ change: PlaylistChange) {
    add("entriesChanged", change.entries)
    add("currentChanged", change.current)
    add("isByEnd", change.isByEnd)
    add("originator", id: change.originator)
    add("current", change.entry.map { Self.digits($0.bytes) })
    add(
      "entries",
      objects: list.lines.map { line in
        var object = JSONObject()
        object.add("id", Self.digits(line.id.bytes))
        object.add("item", item: line.entry.item)
        object.add("title", visible: line.entry.title)
        object.add("copy", object: line.entry.copy.isKnown ? JSONObject(line.entry.copy) : nil)
        object.add("addresses", texts: line.entry.addresses.map { VisibleText.plain($0) })
        object.add("ranges", objects: line.entry.ranges.map { JSONObject($0) })
        return object
      })
  }

  private init(_ copy: Copy) {
    add("duration", time: copy.duration == 0 ? nil : copy.duration)
    add("size", copy.size == 0 ? nil : copy.size)
    add("hash", copy.hash.isEmpty ? nil : Self.digits(copy.hash))
  }

  private init(_ range: SkipRange) {
    add("begin", time: range.begin)
    add("end", time: range.end)
    add("kind", range.kind.word)
  }

  mutating func add(_ policy: StartPolicy, _ skipped: SkipPolicy) {
    var object = JSONObject()
    object.add("start", policy.waiting.name)
    object.add("limit", time: policy.limit)
    object.add("leaving", policy.leaving.name)
    add("startPolicy", object: object)
    add("skippedRanges", texts: SkipRange.Kind.allCases.filter { skipped.skips($0) }.map { $0.word })
  }

  mutating func add(_ notice: NoticeMessage, originator: ParticipantID) {
    add("kind", number: notice.kind)
    add("amount", time: notice.amount)
    add("rate", notice.rate)
    add("text", visible: notice.text)
    add("itemTime", time: notice.itemTime)
    add("originator", id: originator)
  }

  mutating func add(_ news: PersonNotice) {
    switch news.kind {
    case .joined: add("kind", "joined")
    case .left: add("kind", "left")
    case .present: add("kind", "present")
    case .elsewhere(let item):
      add("kind", "elsewhere")
      add("item", item: item)
    }
    add("participant", id: news.participant)
    add("name", visible: news.name)
  }

  /// `name`: the other's.
  mutating func add(_ news: CopyNews, name: String) {
    add("participant", id: news.participant)
    add("entry", Self.digits(news.entry.bytes))
    let difference = news.difference
    let differs = [("duration", difference.duration), ("size", difference.size), ("hash", difference.hash)]
    add("differs", texts: differs.filter { $0.1 }.map { $0.0 })
    add("isSameLength", difference.isContainer)
    add("copy", object: JSONObject(news.copy))
    add("message", visible: difference.sentence(name))
  }

  mutating func add(_ news: CommandRequestNews) {
    add("asker", id: news.asker)
    add("number", number: news.number)
    add("kind", news.request.kind.name)
    add("item", item: news.request.item)
    add("itemTime", time: news.request.kind == .seek ? news.request.itemTime : nil)
    add("text", visible: news.request.text)
    add("status", news.status.name)
    add("answerer", id: news.answerer)
  }

  mutating func add(_ change: ScheduleChange) {
    add("change", change.kind.name)
    var start = JSONObject()
    start.add("item", item: change.start.item)
    start.add("hostTime", time: change.start.hostTime)
    start.add("calendarTime", time: change.start.calendarTime)
    start.add("errorBound", time: change.start.errorBound)
    start.add("originator", id: change.start.originator)
    add("start", object: start)
    add("remaining", time: change.remaining)
  }

  /// `listed`: what is offered now.
  mutating func add(_ news: AttachmentNews, listed: [ListedAttachment]) {
    add("change", news.change.name)
    add("attachment", object: JSONObject(ListedAttachment(offer: news.offer, isHeld: news.isHeld)))
    add("request", number: news.request)
    add("transferred", number: news.transferred)
    add("participant", id: news.participant)
    add("code", news.reason.code?.name)
    add("message", visible: news.message)
    // Progress comes often, and changes none of them.
    if news.change != .progress { add("attachments", objects: listed.map { JSONObject($0) }) }
  }

  private init(_ listed: ListedAttachment) {
    let value = listed.offer.value
    add("id", value.id == .none ? nil : Self.digits(value.id.bytes))
    add("owner", id: listed.offer.slot.author)
    add("size", number: value.size)
    add("name", AttachmentValue.plain(name: value.name))
    add("type", visible: value.type)
    add("isHeld", listed.isHeld)
  }
}
