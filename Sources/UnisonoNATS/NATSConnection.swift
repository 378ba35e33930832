#if NATS
  import CNATS
  import Glibc
  import UnisonoBase
  import UnisonoRuntime

  /// One connection to NATS. It belongs to the NATS thread, whose calls may wait; it is never mended: one that is lost is closed, and
  /// another is made.
  final class NATSConnection {
    /// What became of an order.
    enum Outcome {
      case sent
      /// The server does not take so much at once.
      case tooLong
      /// The connection is good for nothing any more.
      case failed(String)
    }

    /// What libnats's callbacks carry.
    let number: Int
    /// Where it goes, for messages.
    let place: String
    /// Longest message that the server takes, bytes.
    let longest: Int64
    private let handle: OpaquePointer
    private var subscriptions: [String: OpaquePointer] = [:]

    /// Connects, for at most `patience` at each server. `number`: of `NATSHandlers`.
    init(_ options: NATSOptions, number: Int) throws(NATSFailure) {
      let settings = try NATSSettings(options, number: number)
      var made: OpaquePointer?
      let status = natsConnection_Connect(&made, settings.handle)
      guard status == NATS_OK, let made else { throw NATSFault.failure(status, options) }
      handle = made
      self.number = number
      longest = natsConnection_GetMaxPayload(made)
      var name = [CChar](repeating: 0, count: 512)
      let isNamed = natsConnection_GetConnectedUrl(made, &name, name.count) == NATS_OK
      let url = isNamed ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
      place = (try? NATSServer(parsing: url))?.description ?? options.place
    }

    func publish(_ bytes: [UInt8], on subject: String) -> Outcome {
      let status = bytes.withUnsafeBytes {
        natsConnection_Publish(handle, subject, $0.baseAddress, Int32(clamping: $0.count))
      }
      switch status {
      case NATS_OK: return .sent
      case NATS_MAX_PAYLOAD: return .tooLong
      default: return .failed(reason(status))
      }
    }

    func subscribe(_ subject: String) -> Outcome {
      guard subscriptions[subject] == nil else { return .sent }
      var made: OpaquePointer?
      let closure = UnsafeMutableRawPointer(bitPattern: number)
      let status = natsConnection_Subscribe(&made, handle, subject, NATSHandlers.message, closure)
      guard status == NATS_OK, let made else { return .failed(reason(status)) }
      subscriptions[subject] = made
      // No limit of messages: each costs at least its bytes there, and the loop's own limit holds all of them.
      let bounded = natsSubscription_SetPendingLimits(made, -1, NATSLimits.subscription)
      return bounded == NATS_OK ? .sent : .failed(reason(bounded))
    }

    func unsubscribe(_ subject: String) -> Outcome {
      guard let subscription = subscriptions.removeValue(forKey: subject) else { return .sent }
      defer { natsSubscription_Destroy(subscription) }
      let status = natsSubscription_Unsubscribe(subscription)
      return status == NATS_OK || status == NATS_INVALID_SUBSCRIPTION ? .sent : .failed(reason(status))
    }

    /// Waits until the server has taken all that was sent; false: it did not in time.
    func settle(milliseconds: Int64) -> Bool { natsConnection_FlushTimeout(handle, milliseconds) == NATS_OK }

    /// Why it is no good any more, as far as libnats knows.
    func reason(_ status: natsStatus? = nil) -> String {
      var text: UnsafePointer<CChar>?
      let last = natsConnection_GetLastError(handle, &text)
      let words = text.map { String(cString: $0) } ?? ""
      return NATSFault.loss(last == NATS_OK ? status ?? last : last, words)
    }

    /// Ends it, without what waits. No callback finds anybody afterwards.
    func close() {
      NATSHandlers.remove(number)
      for subscription in subscriptions.values { natsSubscription_Destroy(subscription) }
      subscriptions = [:]
      natsConnection_Destroy(handle)
    }
  }
#endif
