#if NATS
  import CNATS
  import UnisonoBase
  import UnisonoRuntime

  /// The thread that speaks with NATS: it connects, sends what is in the outbox, and connects again when that fails. Its calls may wait for
  /// the network; what comes is put into the inbox by libnats's thread.
  final class NATSThread: Sendable {
    private let options: NATSOptions
    private let outbox: NATSOutbox
    private let inbox: NATSInbox
    private let clock: @Sendable () -> HostTime

    /// `clock`: host time, for any thread.
    init(_ options: NATSOptions, outbox: NATSOutbox, inbox: NATSInbox, clock: @escaping @Sendable () -> HostTime) {
      self.options = options
      self.outbox = outbox
      self.inbox = inbox
      self.clock = clock
    }

    /// The whole life of the thread.
    func run() {
      var complaint: (text: String, at: HostTime)?
      while !outbox.isClosing {
        let number = NATSHandlers.add(self)
        var pause = NATSLimits.pause
        do throws(NATSFailure) {
          let connection = try NATSConnection(options, number: number)
          complaint = nil
          serve(connection)
        } catch {
          NATSHandlers.remove(number)
          if !error.isAbsence { pause = NATSLimits.refusalPause }
          // The same again once a minute, or the log would hold little else.
          if complaint?.text != error.message || clock().subtracting(complaint?.at ?? 0) > .seconds(60) {
            complaint = (error.message, clock())
            say(.warning, "\(error.message); trying again")
          }
        }
        outbox.pause(milliseconds: Int32.random(in: pause), clock: clock)
      }
      nats_ReleaseThreadMemory()
    }

    // MARK: libnats's threads

    func received(_ content: UnsafeRawBufferPointer, on subject: UnsafePointer<CChar>) {
      let now = clock()
      guard content.count <= NATSLimits.message else { return }
      inbox.add(.message(Array(content), subject: String(cString: subject), at: now))
    }

    func lost(_ connection: Int) { outbox.lose(connection) }

    func failed(_ status: natsStatus, _ words: String) {
      switch status {
      case NATS_SLOW_CONSUMER: say(.warning, "NATS brings more than this hub takes: some of it was left out")
      case NATS_NOT_PERMITTED:
        say(
          .warning,
          "NATS does not permit what this hub needs, to publish and subscribe to u2.<set>.>: \(NATSFault.printable(words))"
        )
      default: say(.warning, "NATS: \(NATSFault.loss(status, words))")
      }
    }

    // MARK: This thread

    private func serve(_ connection: NATSConnection) {
      var reason: String?
      for subject in outbox.begin(connection.number) where reason == nil {
        if case .failed(let text) = connection.subscribe(subject) { reason = text }
      }
      say(.info, "hears other hubs through NATS at \(connection.place)")
      if connection.longest < NATSLimits.message {
        say(
          .warning,
          "NATS at \(connection.place) takes \(connection.longest) bytes at once, hubs say up to \(NATSLimits.message): raise max_payload"
        )
      }
      inbox.add(.connected)
      while reason == nil {
        switch outbox.next() {
        case .carryOut(let orders): reason = carryOut(orders, connection)
        case .giveUp(let cut): reason = Self.words(for: cut, connection)
        case .end:
          // What the kernel holds is gone with the connection if something unread is left.
          _ = connection.settle(milliseconds: NATSLimits.farewellInMilliseconds)
          outbox.end()
          return connection.close()
        }
      }
      outbox.end()
      inbox.add(.disconnected)
      say(.warning, "the connection to NATS at \(connection.place) is over: \(reason ?? ""); connecting again")
      connection.close()
    }

    /// Why the connection is no good any more; nil: it is.
    private func carryOut(_ orders: [NATSOutbox.Order], _ connection: NATSConnection) -> String? {
      var closingSince: HostTime?
      for order in orders {
        let now = clock()
        guard outbox.beginOrder(at: now) else { return nil }
        if outbox.isClosing {
          closingSince = closingSince ?? now
          if now.subtracting(closingSince ?? now) > NATSLimits.farewell { return "closing" }
        }
        let outcome: NATSConnection.Outcome
        switch order {
        case .publish(let bytes, let subject, let at):
          if now.subtracting(at) > NATSLimits.patience {
            outbox.give(up: .late)
            return nil
          }
          outcome = connection.publish(bytes, on: subject)
        case .subscribe(let subject): outcome = connection.subscribe(subject)
        case .unsubscribe(let subject): outcome = connection.unsubscribe(subject)
        }
        if outbox.endOrder(order.cost) { inbox.add(.relieved) }
        switch outcome {
        case .sent: break
        case .tooLong:
          say(
            .warning,
            "NATS at \(connection.place) did not take a message that is too long for it: raise max_payload")
        case .failed(let text): return text
        }
      }
      return nil
    }

    private static func words(for cut: NATSOutbox.Cut, _ connection: NATSConnection) -> String {
      switch cut {
      case .asked: "the hub begins anew"
      case .full: "over \(NATSLimits.outbound >> 20) MiB wait for it"
      case .late: "something waited for it for over \(NATSLimits.patienceInMilliseconds / 1_000) s"
      case .lost: connection.reason()
      }
    }

    private func say(_ level: HubLog.Level, _ text: String) { inbox.add(.line(HubLog(level, text))) }
  }
#endif
