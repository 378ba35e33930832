import UnisonoCrypto
import UnisonoRuntime

/// The questions that asks of one advertiser put to the person here, and what comes of the answers. It belongs to the advertiser's loop.
final class AskDesk {
  /// What it needs of its owner.
  struct Owner {
    let person: any Person
    let loop: UVLoop
    /// A number that no other question of the person has.
    let number: () -> UInt64
    /// What is asked, by whom.
    let question: (_ name: String) -> Question
    /// What `.join` hands out; nil: there is nothing yet, and the ask is denied.
    let invite: () -> Invite?
    /// For the log; neither names nor digits are in it.
    let log: (String) -> Void
  }

  private let owner: Owner
  weak var advertiser: NearbyAdvertiser?
  private var questions: [UInt64: UInt64] = [:]

  init(_ owner: Owner) { self.owner = owner }

  func ask(_ request: NearbyRequest) {
    let number = owner.number()
    questions[request.id] = number
    owner.log("a device asks")
    var question = owner.question(request.deviceName.isEmpty ? "A device without a name" : "\"\(request.deviceName)\"")
    question.digits = request.digits.text
    let (id, loop) = (request.id, owner.loop)
    // The desk only passes through the person's thread.
    let box = LoopOnly(self)
    owner.person.ask(number, question) { yes in
      loop.submit { box.value.answer(id, yes) }
    }
  }

  private func answer(_ id: UInt64, _ yes: Bool) {
    guard questions[id] != nil else { return }
    owner.log(yes ? "accepted" : "denied")
    if yes {
      advertiser?.accept(id, invite: owner.invite())
    } else {
      questions[id] = nil
      advertiser?.deny(id)
    }
  }

  /// The ask is void.
  func withdraw(_ id: UInt64) {
    guard let question = questions.removeValue(forKey: id) else { return }
    owner.log("an ask was withdrawn")
    owner.person.withdraw(question)
  }

  /// It brought what it was for.
  func finish(_ id: UInt64) { questions[id] = nil }

  /// Whoever is asked still is asked no more.
  func close() {
    for question in questions.values { owner.person.withdraw(question) }
    questions = [:]
  }
}
