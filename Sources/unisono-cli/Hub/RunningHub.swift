import ArgumentParser
import Glibc
import Logging
import UnisonoBase
import UnisonoCrypto
import UnisonoRuntime

/// A hub on its loop's thread, as the main thread sees it.
///
/// Unchecked, because all that changes but `log` and `drained` belongs to the loop: everything that touches it is submitted there. `log`
/// belongs to the main thread, `loopLog` to the loop, and both are set anew together.
final class RunningHub: @unchecked Sendable {
  /// The hub's own; nil: new every time.
  let id: [UInt8]?
  private let loop: UVLoop
  private(set) var log: Logger
  private var loopLog: Logger
  /// Those that are in force, on the main thread.
  private var settings: HubSettings
  private var server: HubServer?
  /// nil: the hub is alone.
  private let way: HubSetWay?
  private var status: StatusServer?
  private var lag = LoopLag()
  private var lagTimer: (any LoopTimer)?
  private var lookDue: HostTime = 0
  /// nil: the hub has no certificate.
  private var certificate: CertificateWatch?
  private var certificateTimer: (any LoopTimer)?
  private var reloads: UInt64 = 0
  private var failedReloads: UInt64 = 0
  private let started = time(nil)
  /// Whether the drain is over.
  private let drained = DrainFlag()

  init(
    _ reservation: HubReservation, _ settings: HubSettings, identity: SigningKey?, certificate: HubCertificate?,
    opening: RoomOpening, way: HubSetWay?,
    on loop: UVLoop, log: Logger
  ) {
    id = identity?.publicKey.hashedID
    self.loop = loop
    self.way = way
    self.log = log
    self.settings = settings
    loopLog = log
    let metrics = settings.metrics
    loop.submit { [self] in start(reservation, identity, certificate, opening, metrics) }
  }

  /// True once nobody has to be waited for any more.
  var isDrained: Bool { drained.isSet }

  func logStatistics() {
    loop.submit { [self] in logStatisticsNow() }
  }

  /// Lets nobody in any more, and tells who is there to move. `over` is called, on the loop's thread, when they have, or when the time
  /// for it is over.
  func drain(over: @escaping @Sendable () -> Void) {
    let milliseconds = settings.drain
    loop.submit { [self] in
      guard let server else { return }
      server.drain(within: .milliseconds(Int64(milliseconds))) { [self] in
        drained.set()
        over()
      }
    }
  }

  /// Other settings come into force, as far as they can.
  func reload(_ new: HubSettings, opening: RoomOpening, certificate: HubCertificate?) {
    let left = new.unreloaded(against: settings)
    log.logLevel = new.logLevel
    log.info("SIGHUP: the settings were read anew")
    for key in left { log.warning("\(key.rawValue) is another now, which the next start brings into force") }
    if new.limits.connections > settings.limits.connections { HubCommand.raiseDescriptorLimit(new, log) }
    loop.submit { [self] in
      loopLog.logLevel = new.logLevel
      reloads += 1
      server?.reload(
        limits: new.limits, opening: opening, certificate: certificate, advertise: new.advertise, next: new.next)
      if certificate != self.certificate?.certificate { follow(certificate) }
    }
    settings = new
  }

  /// The settings as they are now cannot be used; those in force stay.
  func reloadFailed(_ message: String) {
    log.error("SIGHUP: \(message); nothing was changed")
    loop.submit { [self] in failedReloads += 1 }
  }

  /// Closes all connections, logs the statistics, and waits for the loop to end.
  func close() {
    loop.close(teardown: { [self] in
      lagTimer?.close()
      certificateTimer?.close()
      status?.close()
      guard let server else { return }
      logStatisticsNow()
      server.close()
      self.server = nil
    })
    way?.waitForEnd()
  }

  private func logStatisticsNow() {
    guard let statistics = server?.statistics else { return }
    // In text the line has all of it.
    let isJSON = loopLog.handler is JSONLogHandler
    loopLog.info("\(Self.line(statistics))", metadata: isJSON ? HubLogging.fields(of: statistics) : nil)
  }

  private func start(
    _ reservation: HubReservation, _ identity: SigningKey?, _ certificate: HubCertificate?, _ opening: RoomOpening,
    _ metrics: String?
  ) {
    do throws(NetworkError) {
      let membership = try way?.membership(
        on: loop, log: { [unowned self] in write($0) },
        failed: { [unowned self] reason in
          loopLog.critical("\(reason)")
          exit(EXIT_FAILURE)
        })
      server = try HubServer(
        environment: loop, options: reservation.options, identity: identity, certificate: certificate, opening: opening,
        membership: membership
      ) { [unowned self] in write($0) }
      loopLog.info("listens on \(reservation.addresses.joined(separator: ", "))")
      if let way { loopLog.info("is one of a set of hubs, whose subjects in NATS are \(way.subjects)") }
      if let metrics { try serveStatus(on: metrics) }
      if identity == nil {
        loopLog.info("the hub's id is new: invites to sessions here end with this process; --key keeps it")
      }
      follow(certificate)
      sayHowToUse(server?.lines ?? [], reservation.addresses)
      if reservation.options.site != nil, let first = reservation.addresses.first {
        loopLog.info(
          "serves the page for browsers over plain HTTP, which whoever is on the way can change: http://\(first)/")
      }
    } catch {
      loopLog.critical("\(error.message)")
      exit(EXIT_FAILURE)
    }
  }

  /// Says what the certificate is that is in force now, and then whether it is over soon.
  private func follow(_ new: HubCertificate?) {
    certificate = new.map { CertificateWatch($0) }
    guard let new, let id else {
      certificateTimer?.arm(at: nil)
      return
    }
    loopLog.info("the hub \(HubLine.text(of: id)) is certified as one of the set \(HubLine.text(of: new.set))")
    if certificateTimer == nil { certificateTimer = loop.makeTimer { [unowned self] in lookAtCertificate() } }
    lookAtCertificate()
  }

  private func lookAtCertificate() {
    if let warning = certificate?.look(at: loop.calendarHour) { loopLog.warning("\(warning)") }
    certificateTimer?.arm(at: loop.now.adding(CertificateWatch.interval))
  }

  private func write(_ line: HubLog) {
    let fields = HubLogging.fields(of: line)
    switch line.level {
    case .debug: loopLog.debug("\(line.text)", metadata: fields)
    case .info: loopLog.info("\(line.text)", metadata: fields)
    case .warning: loopLog.warning("\(line.text)", metadata: fields)
    }
  }

  private func serveStatus(on address: String) throws(NetworkError) {
    let status = try StatusServer(on: address, environment: loop) { [unowned self] path in answer(path) }
    self.status = status
    loopLog.info("serves /metrics, /healthz and /readyz on \(address), port \(status.port)")
    let timer = loop.makeTimer { [unowned self] in look() }
    lagTimer = timer
    lookDue = loop.now.adding(LoopLag.interval)
    timer.arm(at: lookDue)
  }

  private func look() {
    let now = loop.now
    lag.add(due: lookDue, at: now)
    lookDue = now.adding(LoopLag.interval)
    lagTimer?.arm(at: lookDue)
  }

  private func answer(_ path: String) -> HTTPResponse {
    guard let server else { return HTTPResponse(503) }
    let measures = server.measures
    switch path {
    case "/metrics":
      let page = MetricsPage(
        hub: measures, lag: lag, process: .read(), version: UnisonoCommand.configuration.version, started: started,
        reloads: reloads, failedReloads: failedReloads, certificateUntil: certificate?.certificate.until)
      var response = HTTPResponse(200, page.text)
      response.type = MetricsPage.type
      return response
    case "/healthz": return HTTPResponse(200, "ok\n")
    case "/readyz":
      if measures.isDraining { return HTTPResponse(503, "draining\n") }
      return measures.isReady ? HTTPResponse(200, "ok\n") : HTTPResponse(503, "other hubs are not heard\n")
    default: return HTTPResponse(404, "there are /metrics, /healthz and /readyz\n")
    }
  }

  /// What hosts are given, as it can be pasted, and who is reached by it.
  private func sayHowToUse(_ lines: [HubLine], _ addresses: [String]) {
    guard let first = lines.first else { return }
    loopLog.info("hosts use it with: --hub \(first.text)")
    let reach = addresses.map { AddressReach(of: $0) }.max() ?? .machine
    let reached = reach == .machine ? "this machine" : "the networks of this machine"
    guard reach < .anywhere else { return }
    loopLog.info("none of these addresses is public: it is reached from \(reached) alone; --advertise names others")
  }

  private static func line(_ statistics: HubStatistics) -> String {
    """
    rooms=\(statistics.rooms) connections=\(statistics.connections) frames_in=\(statistics.framesIn) \
    frames_out=\(statistics.framesOut) bytes_in=\(statistics.bytesIn) bytes_out=\(statistics.bytesOut) \
    refused=\(statistics.refused) closed_slow=\(statistics.closedSlow) probes=\(statistics.probes)
    """
  }
}
