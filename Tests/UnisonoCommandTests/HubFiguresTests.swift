import Testing
import UnisonoBase
import UnisonoRuntime

@testable import unisono_cli

@Suite struct HubFiguresTests {
  private func page(
    _ change: (inout HubMeasures) -> Void = { _ in }, lag: LoopLag = LoopLag(), certificateUntil: UInt32? = nil
  ) -> [Substring] {
    var measures = HubMeasures()
    change(&measures)
    return MetricsPage(
      hub: measures, lag: lag, process: ProcessMeasures(processorSeconds: 1.5), version: "1.2.3", started: 7,
      reloads: 2,
      failedReloads: 1, certificateUntil: certificateUntil
    ).text.split(separator: "\n")
  }

  @Test("F76: a hub's figures are under the names of Prometheus, every cause of a refusal among them")
  func figures() {
    let lines = page {
      $0.statistics.rooms = 3
      $0.statistics.bytesOut = 1 << 40
      $0.entered = 5
      $0.unentered = 1
      $0.refusals = [.draining: 4]
      $0.isDraining = true
      ($0.listeners, $0.audiences) = (12, 3)
      $0.otherHubs = 2
    }
    for line in [
      "unisono_hub_info{version=\"1.2.3\"} 1", "unisono_hub_rooms 3", "unisono_hub_sent_bytes_total 1099511627776",
      "unisono_hub_connections{state=\"entered\"} 5", "unisono_hub_connections{state=\"unentered\"} 1",
      "unisono_hub_refusals_total{reason=\"draining\"} 4", "unisono_hub_draining 1", "unisono_hub_other_hubs 2",
      "unisono_hub_listeners 12", "unisono_hub_listeners_limit 16384", "unisono_hub_audiences 3", "process_cpu_seconds_total 1.5",
      "unisono_hub_reloads_total{result=\"failed\"} 1", "process_start_time_seconds 7",
    ] { #expect(lines.contains(Substring(line)), "\(line)") }
    for cause in RefusalCause.allCases {
      #expect(lines.contains { $0.hasPrefix("unisono_hub_refusals_total{reason=\"\(cause.rawValue)\"} ") })
    }
    // What the system did not tell is left out, not told as 0; so is the end of a certificate where there is none.
    #expect(!lines.contains { $0.contains("resident_memory") || $0.contains("certificate") })
    #expect(page(certificateUntil: 500_000).contains("unisono_hub_certificate_end_time_seconds 1800000000"))
  }

  @Test("F76: how late the loop is goes into a histogram whose buckets add up")
  func lateness() {
    var lag = LoopLag()
    for late in [0, 900_000, 1_100_000, 40_000_000, 9_000_000_000] as [Int64] { lag.add(due: 50, at: 50 + late) }
    lag.add(due: 50, at: 20)
    let lines = page(lag: lag)
    for line in [
      "_bucket{le=\"0.001\"} 3", "_bucket{le=\"0.0025\"} 4", "_bucket{le=\"0.025\"} 4", "_bucket{le=\"0.05\"} 5",
      "_bucket{le=\"2.5\"} 5",
      "_bucket{le=\"+Inf\"} 6", "_count 6", "_sum 9.042",
    ] { #expect(lines.contains(Substring("unisono_hub_loop_lag_seconds" + line)), "\(line)") }
  }

  @Test("F76: a line of the log is one JSON object, whatever is in it; numbers stay numbers")
  func json() {
    let line = JSONLogHandler.line(
      seconds: 1_764_028_800, milliseconds: 7, level: "info", message: "a \"b\"\\\n\u{1}é",
      fields: [("room", .string("0a1b2c3d")), ("rooms", .stringConvertible(UInt64(3)))])
    #expect(
      line
        == "{\"time\":\"2025-11-25T00:00:00.007Z\",\"level\":\"info\",\"message\":\"a \\\"b\\\"\\\\\\n\\u0001é\",\"room\":\"0a1b2c3d\",\"rooms\":3}\n"
    )
  }
}
