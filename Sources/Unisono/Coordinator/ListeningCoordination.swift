import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

/// Coordination of a coordinator that follows an audience: what the group does is heard, and nothing is said but to hosts. On the
/// loop.
final class ListeningCoordination: CoordinationHost, EndOfTurnParticipant {
  let firstCommand: UInt64
  /// Which of the coordinator's listenings this is.
  let number: UInt64
  private unowned let coordinator: CoordinatorObject
  private let context: ContextObject
  /// nil: it is being made, or has ended.
  private var listener: AudienceListener?
  private var hasEnded = false
  private var news = ListeningNews()
  /// nil: nothing yet.
  private var told: ListeningNews?

  init(to link: AudienceLink, number: UInt64, coordinator: CoordinatorObject) {
    self.number = number
    self.coordinator = coordinator
    context = coordinator.context
    firstCommand = context.nextCommandRange()
    let setup = AudienceListener.Setup(
      link: link, displayName: context.options.deviceName, deviceName: context.options.deviceName, seed: context.options.seed,
      firstCommand: firstCommand)
    listener = AudienceListener(environment: context.loop, setup: setup) { [weak self] in self?.hear($0) }
    context.settleEveryTurn(self)
  }

  var coordinationView: CoordinationView { listener?.view ?? CoordinationView() }

  func handle(_ event: CoordinationEvent) {
    listener?.handle(event)
    context.requestEndOfTurn()
  }

  func say(_ word: HandMessage.Word, _ text: String) {
    listener?.say(word, text)
    context.requestEndOfTurn()
  }

  func react(_ text: String) {
    listener?.react(text)
    context.requestEndOfTurn()
  }

  func settle() {
    guard let listener else { return }
    listener.settle()
    coordinator.publish(listener.view)
    news.item = listener.item
    guard news != told else { return }
    told = news
    coordinator.offer(news.reactions.map(\.text), inListening: number)
    coordinator.deliver(news)
    if news.status == .over { coordinator.listeningEnded(self) }
  }

  private func hear(_ event: AudienceListener.Event) {
    guard !hasEnded else { return }
    context.requestEndOfTurn()
    switch event {
    case .playback(let effect): coordinator.carryOut(effect)
    case .participants(let change): coordinator.deliver(change)
    case .news(let heard):
      news.status = heard.status
      news.listeners = heard.listeners
      news.reason = heard.reason
      news.clock = heard.clock
      news.reactions = heard.reactions
    case .activity(let activity): news.activity = activity
    case .invited(let text): coordinator.deliver(invite: text)
    case .log(let level, let message): context.log(level, message)
    }
  }

  func isOf(_ session: SessionObject, as name: CoordinatorName?) -> Bool { false }

  func release(_ coordinator: CoordinatorObject) {
    context.stopSettling(self)
    hasEnded = true
    listener?.close()
    listener = nil
  }
}

/// All that a host is told of the audience that its coordinator follows.
struct ListeningNews: Equatable {
  var status = AudienceListener.Status.connecting
  /// By the hub's word; 0: not known.
  var listeners: UInt32 = 0
  /// For people; "": nothing to say.
  var reason = ""
  /// What is known of the hub's clock past the hub.
  var clock = AudienceListener.ClockNews()
  /// What the group is at; nil: nothing, or it is not known.
  var item: ItemID?
  var activity: Activity?
  /// By what one may react, and how many did, by the hub's word.
  var reactions: [ReactionCount] = []
}
