import UnisonoRuntime

/// A hub's figures in the text format of Prometheus, version 0.0.4, with names by its conventions: base units, counters end in _total.
struct MetricsPage {
  static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// Of a hub.
  var hub: HubMeasures
  var lag: LoopLag
  var process: ProcessMeasures
  var version: String
  /// s since 1970.
  var started: Int
  var reloads: UInt64
  var failedReloads: UInt64
  /// Hours since 1970, UTC; nil: the hub has no certificate.
  var certificateUntil: UInt32?

  var text: String {
    var page = Page()
    let statistics = hub.statistics
    page.family("unisono_hub_info", "gauge", "The hub's version.")
    page.sample("unisono_hub_info", [("version", version)], 1)
    page.gauge("unisono_hub_rooms", "Rooms with somebody in them.", statistics.rooms)
    page.gauge("unisono_hub_rooms_limit", "Rooms that there may be.", hub.limits.rooms)
    page.gauge("unisono_hub_largest_room_participants", "Participants of the largest room.", hub.largestRoom)
    page.family("unisono_hub_connections", "gauge", "Open connections, in a room (entered) or not yet.")
    page.sample("unisono_hub_connections", [("state", "entered")], hub.entered)
    page.sample("unisono_hub_connections", [("state", "unentered")], hub.unentered)
    page.gauge("unisono_hub_connections_limit", "Entered connections that there may be.", hub.limits.connections)
    page.gauge("unisono_hub_listeners", "Connections that listen to an audience.", hub.listeners)
    page.gauge("unisono_hub_listeners_limit", "Connections that may listen.", hub.limits.listeners)
    page.gauge("unisono_hub_audiences", "Audiences that are open, or whose programme is kept.", hub.audiences)
    page.gauge(
      "unisono_hub_resting_connections", "Connections that are not read for now, as their limits are used up.",
      hub.resting)
    page.counter("unisono_hub_entries_total", "Entries into rooms.", hub.entries)
    page.counter("unisono_hub_closed_connections_total", "Connections that ended.", hub.endings)
    page.family(
      "unisono_hub_refusals_total", "counter",
      "Entries turned down, and connections closed for breaking a rule or a limit.")
    for cause in RefusalCause.allCases {
      page.sample("unisono_hub_refusals_total", [("reason", cause.rawValue)], hub.refusals[cause] ?? 0)
    }
    page.counter(
      "unisono_hub_slow_closed_total", "Connections closed because they did not read.", statistics.closedSlow)
    page.counter("unisono_hub_received_frames_total", "Frames received over TCP.", statistics.framesIn)
    page.counter("unisono_hub_sent_frames_total", "Frames sent over TCP.", statistics.framesOut)
    page.counter("unisono_hub_received_bytes_total", "Bytes received over TCP.", statistics.bytesIn)
    page.counter("unisono_hub_sent_bytes_total", "Bytes sent over TCP.", statistics.bytesOut)
    page.counter("unisono_hub_probes_answered_total", "Clock probes answered.", statistics.probes)
    page.family(
      "unisono_hub_queue_bytes", "gauge", "Memory of what was received and waits, and of what waits to be sent.")
    page.sample("unisono_hub_queue_bytes", [("direction", "received")], hub.inboundMemory)
    page.sample("unisono_hub_queue_bytes", [("direction", "sent")], hub.outboundMemory)
    page.family("unisono_hub_queue_limit_bytes", "gauge", "Memory that may be used for that.")
    page.sample("unisono_hub_queue_limit_bytes", [("direction", "received")], hub.limits.inboundMemory)
    page.sample("unisono_hub_queue_limit_bytes", [("direction", "sent")], hub.limits.outboundMemory)
    page.gauge("unisono_hub_kept_notices", "Envelopes kept for those who come later.", hub.notices)
    page.gauge("unisono_hub_open_visits", "Requests for files of the page or films that are being answered.", hub.visits)
    page.counter("unisono_hub_visits_total", "Requests for files of the page or films.", hub.visitRequests)
    page.gauge("unisono_hub_other_hubs", "Hubs of the same set that this one hears.", hub.otherHubs)
    if let certificateUntil {
      page.gauge(
        "unisono_hub_certificate_end_time_seconds", "When the hub's certificate is over, since 1970.", UInt64(certificateUntil) * 3_600)
    }
    page.gauge("unisono_hub_draining", "1 while the hub is about to end and lets nobody in.", hub.isDraining ? 1 : 0)
    page.family("unisono_hub_reloads_total", "counter", "Times that the settings were read anew.")
    page.sample("unisono_hub_reloads_total", [("result", "ok")], reloads)
    page.sample("unisono_hub_reloads_total", [("result", "failed")], failedReloads)
    addLag(to: &page)
    page.counter("process_cpu_seconds_total", "Time of the processor, user and system.", process.processorSeconds)
    if let bytes = process.residentBytes { page.gauge("process_resident_memory_bytes", "Memory in use.", bytes) }
    if let bytes = process.virtualBytes { page.gauge("process_virtual_memory_bytes", "Memory reserved.", bytes) }
    if let files = process.openFiles { page.gauge("process_open_fds", "Open files and sockets.", files) }
    if let files = process.greatestFiles {
      page.gauge("process_max_fds", "Open files and sockets that there may be.", files)
    }
    page.gauge("process_start_time_seconds", "When the process started, since 1970.", started)
    return page.text
  }

  private func addLag(to page: inout Page) {
    let name = "unisono_hub_loop_lag_seconds"
    page.family(name, "histogram", "How late the hub's loop comes to a timer, looked at four times a second.")
    var below: UInt64 = 0
    for (bound, count) in zip(LoopLag.bounds, lag.counts) {
      below += count
      page.sample(name + "_bucket", [("le", "\(bound)")], below)
    }
    page.sample(name + "_bucket", [("le", "+Inf")], lag.count)
    page.sample(name + "_sum", [], lag.sum)
    page.sample(name + "_count", [], lag.count)
  }
}

/// Text of a page, in the making.
private struct Page {
  private(set) var text = ""

  mutating func family(_ name: String, _ kind: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  mutating func sample(_ name: String, _ labels: [(String, String)], _ value: some CustomStringConvertible) {
    // Values of labels are words of ours: nothing in them has to be escaped.
    let names = labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
    text += "\(name)\(names.isEmpty ? "" : "{\(names)}") \(value)\n"
  }

  mutating func gauge(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
    family(name, "gauge", help)
    sample(name, [], value)
  }

  mutating func counter(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
    family(name, "counter", help)
    sample(name, [], value)
  }
}
