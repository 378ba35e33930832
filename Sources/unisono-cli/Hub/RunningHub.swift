import Glibc
import Logging
import UnisonoCrypto
import UnisonoRuntime

/// A hub on its loop's thread, as the main thread sees it.
///
/// Unchecked, because `server` belongs to the loop: everything that touches it is submitted there.
final class RunningHub: @unchecked Sendable {
  private let loop: UVLoop
  private let log: Logger
  private var server: HubServer?

  init(_ reservation: HubReservation, identity: SigningKey?, on loop: UVLoop, log: Logger) {
    self.loop = loop
    self.log = log
    loop.submit { [self] in start(reservation, identity) }
  }

  func logStatistics() {
    loop.submit { [self] in
      if let server { log.info("\(Self.line(server.statistics))") }
    }
  }

  /// Closes all connections, logs the statistics, and waits for the loop to end.
  func close() {
    loop.close(teardown: { [self] in
      guard let server else { return }
      log.info("\(Self.line(server.statistics))")
      server.close()
      self.server = nil
    })
  }

  private func start(_ reservation: HubReservation, _ identity: SigningKey?) {
    do throws(NetworkError) {
      let log = log
      server = try HubServer(environment: loop, options: reservation.options, identity: identity) { line in
        switch line.level {
        case .debug: log.debug("\(line.text)")
        case .info: log.info("\(line.text)")
        case .warning: log.warning("\(line.text)")
        }
      }
      let id = (server?.hubID ?? []).map { Self.hexadecimal($0) }.joined()
      log.info("hub \(id) listens on \(reservation.addresses.joined(separator: ", "))")
    } catch {
      log.critical("\(error.message)")
      exit(EXIT_FAILURE)
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }

  private static func line(_ statistics: HubStatistics) -> String {
    """
    rooms=\(statistics.rooms) connections=\(statistics.connections) frames_in=\(statistics.framesIn) \
    frames_out=\(statistics.framesOut) bytes_in=\(statistics.bytesIn) bytes_out=\(statistics.bytesOut) \
    refused=\(statistics.refused) closed_slow=\(statistics.closedSlow) probes=\(statistics.probes)
    """
  }
}
