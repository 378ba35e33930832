import CUnisono
import UnisonoCore
import UnisonoCrypto

/// Content of an event about another device, beside its type.
struct NearbyTelling {
  var device: UInt64 = 0
  var request: HandleToken?
  var deviceName = ""
  var usage = ""
  var invite: String?
  var platform: UInt32 = 0
  var status = unisono_status.UNISONO_OK
  var digits: PairingDigits?
  var intent: NearbyIntent?
}

extension Payload {
  /// NEARBY_...
  static func nearby(_ origin: EventOrigin, _ type: unisono_event_type, _ telling: NearbyTelling) -> Payload {
    Payload { arena in
      var body = unisono_nearby_event()
      body.base = origin.head(type, of: unisono_nearby_event.self)
      body.device = telling.device
      body.request = telling.request?.pointer
      body.device_name = arena.text(telling.deviceName)
      body.usage_description = arena.text(telling.usage)
      body.invite = arena.text(telling.invite)
      body.platform = telling.platform
      body.status = telling.status.rawValue
      body.intent = unisono_intent(rawValue: Int32(telling.intent?.rawValue ?? 0)) ?? .UNISONO_INTENT_UNKNOWN
      withUnsafeMutableBytes(of: &body.digits) { $0.copyBytes(from: (telling.digits?.text ?? "").utf8) }
      return body
    }
  }
}

extension ContextChild {
  /// An event about another device: to its callback, or to the queue.
  func tell(
    _ type: unisono_event_type, _ telling: NearbyTelling, _ kind: QueueClass,
    _ function: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<unisono_nearby_event>?) -> Void)?
  ) {
    let user = user
    context.deliver(
      Delivery(
        target: self, payload: .nearby(origin, type, telling), kind: kind,
        callback: function.map { function in { function(user, $0.body()) } }))
  }
}
