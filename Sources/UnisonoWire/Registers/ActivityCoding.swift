import UnisonoBase
import UnisonoReplica

/// Register 4.
enum ActivityCoding {
  static func write(_ activity: Activity, to writer: inout ItemWriter) {
    if activity.type != 0 { writer.integer(1, activity.type) }
    writer.text(2, activity.identifier)
    if let title = activity.title { writer.text(3, title) }
    if let subtitle = activity.subtitle { writer.text(4, subtitle) }
    if let url = activity.fallbackURL { writer.text(5, url) }
    if !activity.previewImage.isEmpty { writer.item(6, activity.previewImage) }
    if !activity.payload.isEmpty { writer.item(7, activity.payload) }
    if activity.lifetime != 0 { writer.integer(8, activity.lifetime) }
    if activity.supportsContinuation { writer.boolean(9, true) }
  }

  static func read(_ reader: ByteReader) throws(WireError) -> Activity {
    var activity = Activity(identifier: "")
    var identifier: String?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: activity.type = try item.integer()
      case 2: identifier = try item.text(1, upTo: WireLimits.identifier)
      case 3: activity.title = try item.text(upTo: WireLimits.title)
      case 4: activity.subtitle = try item.text(upTo: WireLimits.title)
      case 5: activity.fallbackURL = try item.text(upTo: WireLimits.url)
      case 6: activity.previewImage = try item.bytes(upTo: WireLimits.image)
      case 7: activity.payload = try item.bytes(upTo: WireLimits.payload)
      case 8: activity.lifetime = try item.integer()
      case 9: activity.supportsContinuation = try item.boolean()
      default: try item.unknown()
      }
    }
    activity.identifier = try identifier.required()
    return activity
  }
}
