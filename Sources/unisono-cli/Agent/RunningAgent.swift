import Glibc
import Logging
import UnisonoBase
import UnisonoCrypto
import UnisonoNearby
import UnisonoRuntime

/// The agent on its loop's thread, as the main thread sees it.
///
/// Unchecked, because the advertisers belong to the loop: everything that touches them is submitted there.
final class RunningAgent: @unchecked Sendable {
  private let loop: UVLoop
  private let person: any Person
  private let log: Logger
  private let activities: [String: ActivitySettings]
  private let deviceName: String
  private var advertisers: [NearbyAdvertiser] = []
  private var groups: [GroupDesk] = []
  /// Numbers questions over all advertisers.
  private var lastQuestion: UInt64 = 0

  init(
    _ settings: AgentSettings, following invites: [(GroupSettings, Invite)], person: any Person, on loop: UVLoop, log: Logger
  ) {
    self.loop = loop
    self.person = person
    self.log = log
    activities = settings.activities
    deviceName = settings.name ?? DeviceName.standard
    loop.submit { [self] in
      for activity in settings.activities.values.sorted(by: { $0.identifier < $1.identifier }) {
        start(activity)
      }
      for (group, invite) in invites {
        follow(group.name) { agent throws(LibraryCall.Failure) in try GroupDesk(group, invite, for: agent) }
      }
    }
  }

  /// Says goodbye, and waits for the loop to end.
  func close() {
    loop.close(teardown: { [self] in
      for advertiser in advertisers { advertiser.close() }
      advertisers = []
      for group in groups { group.close() }
      groups = []
    })
  }

  private func follow(_ name: String, _ make: (GroupDesk.Agent) throws(LibraryCall.Failure) -> GroupDesk) {
    let agent = GroupDesk.Agent(
      name: deviceName, activities: activities, person: person, loop: loop, log: log,
      number: { [unowned self] in nextQuestion() }, launch: { [unowned self] in launch($0, $1) },
      openPage: { [unowned self] in openPage($0) })
    do throws(LibraryCall.Failure) {
      groups.removeAll { $0.isOver }
      groups.append(try make(agent))
      log.info("\(name): followed")
    } catch {
      log.error("\(name) cannot be followed: \(error.message)")
    }
  }

  private func nextQuestion() -> UInt64 {
    lastQuestion += 1
    return lastQuestion
  }

  private func start(_ activity: ActivitySettings) {
    let service = NearbyService(
      identifier: activity.identifier, usage: activity.usage, deviceName: deviceName, platform: WatchService.linux,
      platforms: activity.platforms)
    let desk = AskDesk(
      AskDesk.Owner(
        person: person, loop: loop, number: { [unowned self] in nextQuestion() },
        question: { Question(title: activity.usage, text: "\($0) asks this device to take part.") }, invite: { nil },
        log: { [unowned self] in log.info("\(activity.identifier): \($0)") }))
    do throws(NetworkError) {
      let advertiser = try NearbyAdvertiser(environment: loop, service: service, intent: .invite) {
        [weak self, desk] event in
        self?.take(event, activity, desk)
      }
      desk.advertiser = advertiser
      advertisers.append(advertiser)
      log.info("\(activity.identifier) takes asks at \(advertiser.addresses.joined(separator: ", "))")
    } catch {
      log.critical("\(activity.identifier): \(error.message)")
      exit(EXIT_FAILURE)
    }
  }

  private func take(_ event: NearbyAdvertiserEvent, _ activity: ActivitySettings, _ desk: AskDesk) {
    switch event {
    case .asked(let request): desk.ask(request)
    case .withdrawn(let id): desk.withdraw(id)
    case .invited(let request, let invite):
      desk.finish(request.id)
      launch(activity, invite)
    case .reach(""): log.info("other devices can be reached again")
    case .reach(let problem): log.warning("other devices cannot find this one: \(problem)")
    case .log(_, let line): log.info("\(line)")
    }
  }

  /// Where the program is not installed, what the invite leads to may name an address to go to instead.
  private func launch(_ activity: ActivitySettings, _ invite: Invite) {
    guard Program.isInstalled(activity.command[0]) else {
      log.notice("\(activity.identifier): \(activity.command[0]) is not installed")
      return follow(activity.usage) { agent throws(LibraryCall.Failure) in
        try GroupDesk(ofOne: invite, usage: activity.usage, for: agent)
      }
    }
    let launch = Launch(activity, invite)
    do throws(Program.Failure) {
      let program = try Program(launch.arguments, input: launch.input, detached: true)
      log.info("\(activity.identifier): started \(launch.arguments[0]) as process \(program.id)")
      Background.run { [log] in
        let (_, status) = program.finish()
        if status != 0 { log.notice("\(activity.identifier): the program ended with \(status ?? -1)") }
      }
    } catch {
      log.error("\(activity.identifier): \(error.message)")
    }
  }

  private func openPage(_ page: String) {
    do throws(Program.Failure) {
      let program = try Program(["xdg-open", page], detached: true)
      log.info("opened \(page)")
      Background.run { _ = program.finish() }
    } catch {
      log.error("\(page): \(error.message)")
    }
  }
}
