import Logging
import UnisonoCrypto
import UnisonoRuntime

/// Offers what a followed group begins to the person at this device.
///
/// Unchecked, because it belongs to the agent's loop.
final class GroupDesk: @unchecked Sendable {
  /// What the agent does for it.
  struct Agent {
    var name: String
    var activities: [String: ActivitySettings]
    var person: any Person
    var loop: UVLoop
    var log: Logger
    /// A question's number, which no other has.
    var number: () -> UInt64
    var launch: (ActivitySettings, Invite) -> Void
    var openPage: (String) -> Void
  }

  private let name: String
  private let agent: Agent
  /// Where the invite is kept; nil: the person said yes to this invite before, and only what it leads to is wanted.
  private let file: String?
  private var invite: Invite
  private var group: FollowedGroup?
  private var question: UInt64?
  private var limit = OfferLimit()

  /// The group of a table in agent.toml.
  init(_ settings: GroupSettings, _ invite: Invite, for agent: Agent) throws(LibraryCall.Failure) {
    (name, file, self.invite, self.agent) = (settings.name, settings.invite, invite, agent)
    try follow()
  }

  /// The session of an invite whose program is not installed here.
  init(ofOne invite: Invite, usage: String, for agent: Agent) throws(LibraryCall.Failure) {
    (name, file, self.invite, self.agent) = (usage, nil, invite, agent)
    try follow()
  }

  private func follow() throws(LibraryCall.Failure) {
    group = try FollowedGroup(invite, deviceName: agent.name) { [weak self, loop = agent.loop] news in
      _ = loop.submit { [weak self] in self?.take(news) }
    }
  }

  /// Nothing comes of it any more.
  var isOver: Bool { group == nil }

  func close() {
    withdraw()
    group?.close()
    group = nil
  }

  private func take(_ news: FollowedGroup.News) {
    guard group != nil else { return }
    switch news {
    case .activity(let activity, let isUnderWay):
      withdraw()
      if let activity { offer(activity, isUnderWay: isUnderWay && file != nil) }
      if file == nil { closeUnlessAsked() }
    case .found:
      agent.log.info("\(name): found")
      if file == nil { closeUnlessAsked() }
    case .invite(let invite):
      self.invite = invite
      keepInvite()
    case .over(let why):
      agent.log.notice("\(name): over: \(why)")
      close()
    }
  }

  /// An invite of one time has told what it leads to.
  private func closeUnlessAsked() {
    if question == nil { close() }
  }

  private func keepInvite() {
    guard let file else { return }
    do throws(SettingsError) {
      try SettingsFile.replace(file, with: invite.text + "\n")
    } catch {
      agent.log.error("\(name): the group has another invite, which could not be kept: \(error.message)")
    }
  }

  // MARK: Asking

  private func offer(_ activity: GroupActivity, isUnderWay: Bool) {
    let who = activity.beginner.isEmpty ? "Somebody" : "\"\(activity.beginner)\""
    let begins = "\(who) \(isUnderWay ? "has begun" : "begins") \"\(activity.name)\""
    switch GroupOffer(activity, among: agent.activities, isUnderWay: isUnderWay, isInstalled: Program.isInstalled) {
    case .nothing(let why): agent.log.info("\(name): \(activity.identifier) is not offered: \(why)")
    case .program(let program):
      ask(Question(title: program.usage, text: "\(begins) in the group \"\(name)\". Take part with this device?")) { [self] in
        agent.launch(program, invite)
      }
    case .page(let page):
      ask(Question(title: activity.name, text: "\(begins). No program for it is installed here. Open \(page) instead?")) { [self] in
        agent.openPage(page)
      }
    }
  }

  private func ask(_ question: Question, agreed: @escaping () -> Void) {
    guard limit.mayAsk(at: agent.loop.now) else {
      return agent.log.notice("\(name): not asked: there were \(OfferLimit.questions) questions in five minutes")
    }
    let number = agent.number()
    self.question = number
    agent.log.info("\(name): the person is asked")
    let box = LoopOnly(agreed)
    agent.person.ask(number, question) { [self] yes in
      agent.loop.submit { [self] in answered(number, yes, box.value) }
    }
  }

  private func answered(_ number: UInt64, _ yes: Bool, _ agreed: () -> Void) {
    guard question == number else { return }
    question = nil
    agent.log.info("\(name): \(yes ? "accepted" : "denied")")
    if yes {
      limit.agreed()
      agreed()
    }
    if file == nil { close() }
  }

  /// The group does something else.
  private func withdraw() {
    guard let question else { return }
    self.question = nil
    agent.person.withdraw(question)
  }
}

/// What belongs to the loop, and only passes through another thread.
struct LoopOnly<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
