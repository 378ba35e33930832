import UnisonoBase
import UnisonoCrypto
import UnisonoNearby
import UnisonoReplica

@testable import UnisonoRuntime

/// Devices on a virtual network, and all that each was told.
enum NearbyWorld {
  static func service(
    _ name: String, _ identifier: String = "org.example.watch", platform: UInt32 = 2, platforms: UInt32 = 0
  ) -> NearbyService {
    NearbyService(
      identifier: identifier, usage: "Watch films together", deviceName: name, platform: platform, platforms: platforms)
  }

  static let invite: Invite = {
    let origin = Origin(root: ParticipantID(high: 1, low: 2), controlPolicy: 0, joinerRole: 2)
    let door = Secret { [UInt8](repeating: 7, count: $0) }
    guard let invite = try? Invite(origin: origin, door: door, hubs: [HubAddress(unmet: "10.0.0.1:7400")]) else {
      preconditionFailure("that is an invite")
    }
    return invite
  }()
}

/// An advertiser and what it told.
final class Host {
  let machine: VirtualEnvironment
  private(set) var requests: [NearbyRequest] = []
  private(set) var withdrawn: [UInt64] = []
  private(set) var invited: [Invite] = []
  private(set) var reaches: [String] = []
  private(set) var log: [String] = []
  private(set) var advertiser: NearbyAdvertiser!
  /// What its person does with each ask, at once; nil: nothing yet.
  var answers: ((NearbyRequest) -> Bool)?

  init(on machine: VirtualEnvironment, service: NearbyService, intent: NearbyIntent = .join) throws {
    self.machine = machine
    machine.kept.append(self)
    advertiser = try NearbyAdvertiser(environment: machine, service: service, intent: intent) { [unowned self] event in
      switch event {
      case .asked(let request):
        requests.append(request)
        if let yes = answers?(request) { machine.submit { self.answer(request.id, yes) } }
      case .withdrawn(let id): withdrawn.append(id)
      case .invited(_, let invite): invited.append(invite)
      case .reach(let sentence): reaches.append(sentence)
      case .log(_, let line): log.append(line)
      }
    }
  }

  func answer(_ id: UInt64, _ yes: Bool) {
    if yes { advertiser.accept(id, invite: NearbyWorld.invite) } else { advertiser.deny(id) }
  }

  var address: String { advertiser.addresses[0] }
}

/// A browser and what it told.
final class Seeker {
  let machine: VirtualEnvironment
  private(set) var changes: [BeaconTable.Change] = []
  private(set) var digits: [UInt64: PairingDigits] = [:]
  private(set) var names: [UInt64: String] = [:]
  private(set) var agreed: [UInt64: Invite] = [:]
  private(set) var failures: [(device: UInt64, failure: AskAttempt.Failure, at: Int64)] = []
  private(set) var reaches: [String] = []
  private(set) var log: [String] = []
  private(set) var browser: NearbyBrowser!

  init(on machine: VirtualEnvironment, service: NearbyService) {
    self.machine = machine
    machine.kept.append(self)
    browser = NearbyBrowser(environment: machine, service: service) { [unowned self] event in
      switch event {
      case .devices(let change): changes.append(change)
      case .digits(let device, let name, _, let digits):
        self.digits[device] = digits
        names[device] = name
      case .agreed(let device, _, let invite): agreed[device] = invite
      case .failed(let device, _, let failure): failures.append((device, failure, machine.network.trueTime))
      case .reach(let sentence): reaches.append(sentence)
      case .log(_, let line): log.append(line)
      }
    }
  }

  /// Names of those it knows now, in the order of finding.
  var known: [String] { browser.devices.map(\.name) }

  func number(of name: String) -> UInt64? { browser.devices.first { $0.name == name }?.number }

  func ask(_ device: UInt64, inviting invite: Invite? = nil) throws {
    try browser.ask(device, inviting: invite)
  }
}
