import CUnisono
import UnisonoCrypto
import UnisonoNearby

/// Content of an event about another device, beside its type.
struct NearbyContent {
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
  static func nearby(_ origin: EventOrigin, _ type: unisono_event_type, _ content: NearbyContent) -> Payload {
    Payload { arena in
      var body = unisono_nearby_event()
      body.base = origin.head(type, of: unisono_nearby_event.self)
      body.device = content.device
      body.request = content.request?.pointer
      body.device_name = arena.visible(content.deviceName)
      body.usage_description = arena.visible(content.usage)
      body.invite = arena.text(content.invite)
      body.platform = content.platform
      body.status = content.status.rawValue
      body.intent = unisono_intent(rawValue: Int32(content.intent?.rawValue ?? 0)) ?? .UNISONO_INTENT_UNKNOWN
      withUnsafeMutableBytes(of: &body.digits) { $0.copyBytes(from: (content.digits?.text ?? "").utf8) }
      return body
    }
  }
}

extension ContextChild {
  /// An event about another device: to its callback, or to the queue.
  func deliver(
    _ type: unisono_event_type, _ content: NearbyContent, _ kind: QueueClass,
    _ function: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<unisono_nearby_event>?) -> Void)?
  ) {
    deliver(.nearby(origin, type, content), kind, to: bound(function))
  }
}
