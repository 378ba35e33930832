import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

/// A place in an audience with its player: what the group does is heard, and nothing commanded. One for each instance of the module, for as
/// long as that lives.
final class WebListener: Participation {
  /// What the listener tells before it is there, and afterwards the listener.
  private final class Mailbox {
    var listener: WebListener?
    var early: [AudienceListener.Event] = []
  }

  let report = Report()
  let place: PlayerPlace
  private let environment: DrivenEnvironment
  private let listener: AudienceListener
  private var isUnsettled = true
  /// When each of these may be said again, host time.
  private var nextQuestion: HostTime = .min
  private var nextRemark: HostTime = .min
  private var nextReaction: HostTime = .min

  init(_ setup: AudienceListener.Setup, environment: DrivenEnvironment) {
    let mailbox = Mailbox()
    self.environment = environment
    listener = AudienceListener(environment: environment, setup: setup) { event in
      if let listener = mailbox.listener { listener.hear(event) } else { mailbox.early.append(event) }
    }
    // It comes to life with the module, and goes with it.
    place = PlayerPlace(environment: environment, report: report) { mailbox.listener?.handle($0) }
    mailbox.listener = self
    tell(listener.news)
    for event in mailbox.early { hear(event) }
    mailbox.early = []
  }

  // MARK: The turn

  private func handle(_ event: CoordinationEvent) {
    listener.handle(event)
    isUnsettled = true
  }

  func endTurn() {
    for _ in 0..<Self.rounds {
      isUnsettled = false
      listener.settle()
      place.follow(listener.view, othersSpeak: false)
      if environment.followUp() { isUnsettled = true }
      if !isUnsettled { return }
    }
  }

  var nextWake: HostTime? { isUnsettled ? environment.now : environment.nextWake }
  var groupClock: ClockModel? { listener.groupClock }
  var roundTrip: Nanoseconds? { nil }

  func leave() throws(Failure) {
    try place.requireLife()
    listener.close()
    place.close("nobody listens here any more; make a new listener")
  }

  // MARK: What is heard

  private func hear(_ event: AudienceListener.Event) {
    isUnsettled = true
    switch event {
    case .playback(let effect):
      place.receive(effect)
      if case .refused(let operation, let status, let message) = effect { report.refuse(operation, status.code, message) }
    case .participants(let change): report.add("participants") { [listener] in $0.add(listener.view, speakers: [], change) }
    case .news(let news):
      tell(news)
      if news.status == .over { place.close("the audience is over") }
    case .activity(let activity): report.add("activity") { $0.add(activity, originator: .none) }
    case .invited(let text): report.add("invited") { $0.add("invite", text) }
    case .log(let level, let text): report.log(level, text)
    }
  }

  private func tell(_ news: AudienceListener.News) {
    report.add("audience") { object in
      object.add("status", news.status.name)
      object.add("listeners", number: news.listeners)
      object.add("item", item: news.item)
      object.add("reason", visible: news.reason)
      object.add("isDoubted", news.clock.isDoubted)
      object.add("ahead", time: news.clock.ahead)
      object.add("behind", time: news.clock.behind)
      object.add(
        "reactions",
        objects: news.reactions.map { reaction in
          var object = JSONObject()
          object.add("text", reaction.text)
          object.add("count", number: reaction.count)
          return object
        })
    }
  }

  // MARK: What is said

  /// To the hosts; as natively each once in a while.
  func say(_ word: HandMessage.Word, _ text: String) throws(Failure) {
    try place.requireLife()
    try requirePause(HandMessage.pause, until: word == .asks ? nextQuestion : nextRemark)
    let again = environment.now.adding(HandMessage.pause)
    if word == .asks { nextQuestion = again } else { nextRemark = again }
    listener.say(word, text)
    isUnsettled = true
  }

  func react(_ text: String) throws(Failure) {
    try place.requireLife()
    guard listener.news.reactions.contains(where: { $0.text == text }) else {
      throw Failure(.invalid, "the audience has no such reaction; \"audience\" events list those that it has")
    }
    try requirePause(TallyKind.pause, until: nextReaction)
    nextReaction = environment.now.adding(TallyKind.pause)
    listener.react(text)
    isUnsettled = true
  }

  private func requirePause(_ pause: Nanoseconds, until next: HostTime) throws(Failure) {
    guard next <= environment.now else { throw Failure(.busy, PaceRefusal(onceIn: pause, until: next, now: environment.now).sentence) }
  }
}
