import Testing
import UnisonoWire

@testable import unisono_cli

@Suite struct DoctorTests {
  private static let ms: Int64 = 1_000_000

  @Test("F97: a loop is judged by what 95 of 100 instants stayed within")
  func loop() {
    let steady = LoopPrecision(
      lateness: [Int64](repeating: 80_000, count: 95) + [Int64](repeating: 9 * Self.ms, count: 5))
    #expect((steady.usual, steady.finding.verdict) == (80_000, .good))
    #expect(
      steady.finding.fact == "of 100 instants 95 in 100 came within 0.08 ms, the latest 9 ms late"
        && steady.finding.advice == nil)
    let busy = LoopPrecision(
      lateness: [Int64](repeating: 80_000, count: 94) + [Int64](repeating: 9 * Self.ms, count: 6))
    #expect(busy.finding.verdict == .doubtful && busy.finding.advice != nil)
    #expect(LoopPrecision(lateness: [11 * Self.ms]).finding.verdict == .bad)
    #expect(LoopPrecision(lateness: []).finding.verdict == .bad, "nothing came")
  }

  private func visit(asked: Int, answered: Int, port: UInt16 = 7_400, error: Int64? = 400_000) -> HubVisit {
    var visit = HubVisit(address: "h:7400")
    (visit.isEntered, visit.datagramPort, visit.datagramsAsked, visit.datagramsAnswered) = (true, port, asked, answered)
    if let error { visit.bounds = [.init(after: 0, error: error)] }
    return visit
  }

  private func verdicts(_ visit: HubVisit?) -> [Finding.Verdict] { HubVisit.findings(visit).map(\.verdict) }

  @Test("F97: without a hub neither UDP nor clock is said to work")
  func noHub() {
    #expect(verdicts(nil) == [.unknown, .unknown, .unknown])
    var refused = HubVisit(address: "h:7400")
    refused.refusal = "the hub refused: no pass"
    #expect(verdicts(refused) == [.bad, .unknown, .unknown])
    #expect(HubVisit.findings(refused)[0].fact == "h:7400 was not entered: the hub refused: no pass")
  }

  @Test("F97: UDP works if the hub answered by it, and is cut off if TCP alone brought an answer")
  func datagrams() {
    #expect(verdicts(visit(asked: 20, answered: 20)) == [.good, .good, .good])
    #expect(verdicts(visit(asked: 20, answered: 17))[1] == .doubtful, "some are lost")
    #expect(verdicts(visit(asked: 20, answered: 0))[1] == .bad)
    #expect(verdicts(visit(asked: 0, answered: 0))[1] == .unknown, "none was asked")
    #expect(verdicts(visit(asked: 0, answered: 0, port: 0))[1] == .doubtful, "the hub has none")
    #expect(verdicts(visit(asked: 20, answered: 0, error: nil))[2] == .unknown)
  }

  @Test("F97: a clock is judged by its last bound, and its history is told")
  func clock() {
    var visit = visit(asked: 1, answered: 1, error: nil)
    visit.bounds = [(0, 90), (300, 30), (600, 12), (1_100, 8), (4_900, 2)].map {
      .init(after: $0 * Self.ms, error: $1 * Self.ms)
    }
    let finding = HubVisit.findings(visit)[2]
    #expect(finding.verdict == .good)
    #expect(
      finding.fact
        == "known to be within 2 ms of the hub's after 4.9 s; it was 90 ms after 0.0 s, 12 ms after 0.6 s, 8 ms after 1.1 s"
    )
    visit.bounds = [.init(after: 0, error: 50 * Self.ms)]
    #expect(HubVisit.findings(visit)[2].verdict == .doubtful)
    visit.bounds = [.init(after: 0, error: .max)]
    #expect(HubVisit.findings(visit)[2].verdict == .bad)
  }

  private func trial(returned: [String], others: Set<String> = [], problem: String? = nil) -> MulticastTrial {
    let names = problem == nil ? ["lo#1/127.0.0.1", "eth0#2/10.0.0.5", "eth0#2/fe80::1"] : ["lo#1/127.0.0.1"]
    let links = names.compactMap(MulticastTrial.link(named:))
    return MulticastTrial(
      links: links, problem: problem, returned: Set(links.filter { returned.contains($0.address) }), others: others)
  }

  @Test("F97: that the network carries multicast is said only when another device was heard")
  func multicast() {
    let both = ["10.0.0.5", "fe80::1"]
    #expect(trial(returned: both).finding.verdict == .unknown)
    #expect(trial(returned: both, others: ["10.0.0.6"]).finding.verdict == .good)
    #expect(trial(returned: []).finding.verdict == .bad)
    #expect(trial(returned: ["fe80::1"]).finding.verdict == .doubtful)
    #expect(trial(returned: [], others: ["10.0.0.6"]).finding.verdict == .doubtful)
    #expect(
      trial(returned: ["127.0.0.1"], problem: "no network interface").finding.verdict == .bad, "itself is nobody else")
    #expect(MulticastTrial.link(named: "a#b#2/10.0.0.5")?.interface == "a#b")
    #expect(MulticastTrial.link(named: "eth0") == nil)
  }

  @Test(
    "F97: which NAT there is follows from addresses that were seen, and reachability is never claimed",
    arguments: [
      (["10.0.0.5"], .address(way: "upnp", "45.80.0.1"), .good),
      (["10.0.0.5"], .address(way: "upnp", "100.64.3.4"), .doubtful),
      (["10.0.0.5"], .silent("nobody"), .unknown), (["10.0.0.5", "2a01::5"], .notAsked, .unknown),
      (["45.80.0.7"], .notAsked, .good),
      ([], .notAsked, .bad),
    ] as [([String], RouterView.Answer, Finding.Verdict)])
  func nat(_ own: [String], _ answer: RouterView.Answer, _ verdict: Finding.Verdict) {
    let findings = RouterView(own: own, answer: answer).findings
    #expect(findings.map(\.subject) == [.nat, .outside])
    #expect(findings.map(\.verdict) == [verdict, .unknown])
    #expect(findings[1].advice != nil)
  }

  @Test(
    "F128: what is said of the way in is what a hub did and what was seen here, and nothing more",
    arguments: [
      (.reached, "45.80.0.1", true, true, .good, "by TCP and UDP"), (.reached, "45.80.0.1", true, nil, .good, "by TCP"),
      (.reached, "45.80.0.1", true, false, .doubtful, "not by UDP"), (.reached, "45.80.0.1", false, false, .bad, "not this machine"),
      (.reached, "10.0.0.5", true, true, .unknown, "within this network"), (.refused, "45.80.0.1", false, false, .bad, "turned away"),
      (.silent, "45.80.0.1", false, true, .bad, "nothing came back"), (.refused, "10.0.0.5", false, false, .doubtful, "turned away"),
      (.busy, "", false, false, .unknown, "too much"), (.declined, "", false, false, .unknown, "nobody back"),
      (nil, "", false, false, .unknown, "older"),
    ] as [(TriedBackFrame.Outcome?, String, Bool, Bool?, Finding.Verdict, String)])
  func outside(
    _ outcome: TriedBackFrame.Outcome?, _ address: String, _ hasStreamCome: Bool, _ hasDatagramCome: Bool?, _ verdict: Finding.Verdict,
    _ words: String
  ) {
    let trial = OutsideTrial(
      port: 40_000, outcome: outcome, address: address, hasStreamCome: hasStreamCome, hasDatagramCome: hasDatagramCome)
    let finding = RouterView(own: ["10.0.0.5"], answer: .address(way: "upnp", "45.80.0.1"), trial: trial).findings[1]
    #expect(finding.verdict == verdict)
    #expect(finding.fact.contains(words), "\(finding.fact)")
    #expect((finding.advice == nil) == (verdict == .good))
    if !address.isEmpty { #expect(finding.fact.contains("\(address):40000")) }
  }

  @Test("F97: the report is whole at 40 columns, and one bad finding makes it bad")
  func report() {
    var findings = [
      Finding(
        subject: .loop, verdict: .good, fact: "one two three four five six seven",
        figures: [.init(name: "a", value: "1")]),
      Finding(subject: .udp, verdict: .unknown, fact: "not \"tested\"", advice: "do this and that, and something else"),
    ]
    let lines = DoctorReport(findings: findings).lines(columns: 40).map(\.text)
    #expect(
      lines == [
        "good      loop      one two three four", "                    five six seven",
        "not known udp       not \"tested\"",
        "                    -> do this and that,", "                       and something",
        "                       else",
      ])
    #expect(DoctorReport(findings: findings).isFine, "what is not known is not bad")
    #expect(
      DoctorReport(findings: findings).record == """
        {"is_fine":true,"findings":[{"subject":"loop","verdict":"good","fact":"one two three four five six seven","advice":null,\
        "figures":{"a":1}},{"subject":"udp","verdict":"unknown","fact":"not \\"tested\\"",\
        "advice":"do this and that, and something else","figures":{}}]}
        """)
    findings[1].verdict = .bad
    #expect(!DoctorReport(findings: findings).isFine)
  }
}
