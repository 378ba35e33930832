import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Who listens knows how wrong its hub's time can be")
struct GroupTimeCheckTests {
  @Test("N29: a hub whose clock is 1 s late or early for one listener: in doubt by a line or by an answer, and within the bound before")
  func lies() throws {
    let room = try AudienceWorld(seed: 31)
    let (fast, slow) = (try room.crookedHub(), try room.crookedHub())
    fast.timeLie = { _ in .seconds(1) }
    slow.timeLie = { _ in .seconds(-1) }
    let (ahead, behind, honest) = (try room.listen(by: fast), try room.listen(by: slow), try room.listen())
    // No question was answered yet.
    #expect(room.network.run(atMost: .seconds(4)) { ahead.listener.news.clock.ahead != nil })
    let early = ahead.listener.news.clock
    #expect(!early.isDoubted && early.behind == nil)
    let most = try #require(early.ahead)
    #expect(most >= .seconds(1) && most < .milliseconds(1_100))
    #expect(room.network.run(atMost: .seconds(4)) { behind.listener.news.clock.isDoubted })
    #expect(behind.listener.news.reason.contains("at least 9") && behind.listener.news.reason.contains(" ms ahead of what plays here"))
    #expect(room.network.run(atMost: .seconds(40)) { ahead.listener.news.clock.isDoubted })
    #expect(ahead.listener.news.reason.contains("at least 9") && ahead.listener.news.reason.contains(" ms behind what plays here"))
    #expect(ahead.logs.filter { $0.contains("says of the time is wrong") }.count == 1)
    #expect(room.network.run(atMost: .seconds(40)) { honest.listener.news.clock.behind != nil })
    #expect(honest.news.allSatisfy { !$0.clock.isDoubted && $0.reason.isEmpty || $0.status == .connecting })
    // It stays told, and nobody is shown a question.
    room.network.run(for: .seconds(20))
    #expect(ahead.listener.news.clock.isDoubted && !ahead.listener.news.reason.isEmpty && ahead.status == .listening)
    #expect(room.host.heard.isEmpty && room.host.engine.askingListeners.isEmpty && room.host.engine.audience.leftOut == 0)
  }

  @Test("N29: an honest hub is never in doubt, on no network, over twelve minutes, and what is told of group time holds")
  func honest() throws {
    let room = try AudienceWorld(seed: 32)
    func path(_ delay: Int64, _ jitter: Int64, _ loss: Double = 0) -> VirtualPath {
      VirtualPath(delay: .microseconds(delay), jitter: .microseconds(jitter), loss: loss)
    }
    // Those of the simulator: lan, wifi, wan, busy wan, lte, asymmetric; the other way round and more; satellite.
    let paths: [(up: VirtualPath, down: VirtualPath)] = [
      (path(200, 100), path(200, 100)), (path(3_000, 150_000, 0.05), path(3_000, 150_000, 0.05)),
      (path(50_000, 20_000), path(50_000, 20_000)), (path(50_000, 60_000), path(50_000, 60_000)),
      (path(80_000, 60_000, 0.005), path(80_000, 60_000, 0.005)), (path(40_000, 5_000), path(10_000, 2_000)),
      (path(10_000, 2_000), path(400_000, 5_000)), (path(600_000, 50_000, 0.002), path(600_000, 50_000, 0.002)),
    ]
    let all = try paths.map { path in
      let player = try room.listen()
      room.network.setPath(from: player.machine, to: room.hubMachine, path.up)
      room.network.setPath(from: room.hubMachine, to: player.machine, path.down)
      return player
    }
    #expect(room.network.run(atMost: .seconds(90)) { all.allSatisfy { $0.listener.news.clock.behind != nil } })
    for second in 0..<48 {
      room.network.run(for: .seconds(15))
      let host = room.host.machine.hostTime(at: room.network.trueTime)
      let truth = try #require(room.host.engine.groupClock).remote(at: host)
      for (index, player) in all.enumerated() {
        let here = try #require(player.listener.groupClock).remote(at: player.machine.hostTime(at: room.network.trueTime))
        let (error, told) = (here.subtracting(truth), player.listener.news.clock)
        // Of when it was told: it grows.
        let growth = Nanoseconds.seconds(Int64(15 * second + 105)).scaled(by: 200e-6)
        let (ahead, behind) = (try #require(told.ahead), try #require(told.behind))
        #expect(error <= ahead.adding(growth), "\(index): \(error) ns ahead")
        #expect(0 - error <= behind.adding(growth), "\(index): \(error) ns behind")
      }
    }
    #expect(all.allSatisfy { $0.news.allSatisfy { !$0.clock.isDoubted } })
    // Asked again, ten minutes later.
    #expect(all.allSatisfy { Set($0.news.compactMap { $0.clock.behind }).count > 1 })
    let bounds = try all.map { try #require($0.listener.news.clock.behind) }
    #expect(bounds[0] < .milliseconds(5) && bounds[7] > .milliseconds(500) && bounds[7] < .milliseconds(1_500))
  }

  @Test("N29: an answer to another, to no question, or by somebody else changes nothing, and neither does a new link that is forged")
  func forged() throws {
    let room = try AudienceWorld(seed: 33)
    let crooked = try room.crookedHub()
    let one = try room.listen(by: crooked)
    #expect(room.network.run(atMost: .seconds(40)) { one.listener.news.clock.behind != nil })
    let before = one.listener.news
    let link = one.listener.link
    let line = try #require(crooked.lines.first)
    let late = room.network.trueTime.adding(.seconds(5_000))
    let echoes = [one.listener.id, room.member.id].map {
      StageMessage.echo(EchoMessage(listener: $0, number: 1, received: late, error: 0))
    }
    let moved = StageMessage.programme(
      StageProgramme(
        levels: [], keys: [room.member.engine.identity.signing.publicKey.bytes], statements: [], item: nil, hubs: link.hubs,
        renewal: .next(secret: [UInt8](repeating: 1, count: 32), topic: [UInt8](repeating: 2, count: 32))))
    for identity in [Identity(random: room.hubMachine.randomBytes), room.member.engine.identity] {
      var sealer = StageSealer(link, by: identity)
      sealer.beginLane(random: room.hubMachine.randomBytes)
      for message in echoes + [moved] {
        let envelope = sealer.seal(message)
        crooked.inject(.deliver(envelope: try #require(envelope)), into: line)
      }
    }
    room.network.run(for: .seconds(5))
    #expect(one.listener.link == link && one.status == .listening && one.listener.news.clock == before.clock)
    // By who may, but of a question that is not open, and for another.
    var sealer = StageSealer(link, by: room.host.engine.identity)
    for _ in 0..<9 { sealer.beginLane(random: room.hubMachine.randomBytes) }
    for message in echoes {
      let envelope = sealer.seal(message)
      crooked.inject(.deliver(envelope: try #require(envelope)), into: line)
    }
    room.network.run(for: .milliseconds(500))
    #expect(one.listener.news.clock == before.clock)
  }

  @Test("the best that was said bounds the other side; what is not asked for, or answered already, bounds nothing")
  func bounds() {
    var check = GroupTimeCheck()
    let model = ClockModel(hostTime: 0, remoteTime: .seconds(50), errorBound: .milliseconds(1))
    #expect(check.bounds(of: model, now: 0) == GroupTimeCheck.Bounds() && check.contradiction(of: model, now: 0) == nil)
    let (late, soon) = (Nanoseconds.milliseconds(49_900), Nanoseconds.milliseconds(49_980))
    check.came(sent: late, error: .milliseconds(1), now: 0)
    check.came(sent: soon, error: .milliseconds(1), now: 0)
    check.came(sent: late, error: .milliseconds(1), now: 0)
    #expect(check.bounds(of: model, now: 0) == GroupTimeCheck.Bounds(ahead: .milliseconds(21)))
    #expect(check.due == nil)
    check.begin(listeners: 5_000, fraction: 0.5, now: 0)
    check.begin(listeners: 1, fraction: 0.9, now: 0)
    #expect(check.due == .seconds(250))
    func answer(_ number: UInt32, _ received: GroupTime, now: HostTime) -> Bool {
      check.answered(number, received: received, error: .milliseconds(1), listeners: 1, fraction: 0, now: now)
    }
    #expect(!answer(1, .seconds(50), now: 0))
    check.ask(number: 4, listeners: 1, fraction: 0.5, now: 0)
    #expect(check.due == .seconds(15))
    #expect(!answer(3, .seconds(50), now: 0) && answer(4, .milliseconds(50_030), now: .milliseconds(100)))
    #expect(!answer(4, .seconds(50), now: .milliseconds(100)))
    #expect(check.due == .milliseconds(600_100))
    #expect(check.bounds(of: model, now: 0) == GroupTimeCheck.Bounds(ahead: .milliseconds(21), behind: .milliseconds(31)))
    // Both grow with what two clocks may drift apart.
    let later = check.bounds(of: model, now: .seconds(100))
    #expect(later == GroupTimeCheck.Bounds(ahead: .milliseconds(41), behind: .milliseconds(51)))
    // A hub that puts its clock elsewhere later is in doubt by what was said before.
    let moved = ClockModel(hostTime: 0, remoteTime: .seconds(51), errorBound: .milliseconds(1))
    #expect(check.contradiction(of: moved, now: .seconds(100)) == .milliseconds(949))
    let back = ClockModel(hostTime: 0, remoteTime: .seconds(49), errorBound: .milliseconds(1))
    #expect(check.contradiction(of: back, now: .seconds(100)) == .milliseconds(-959))
  }
}
