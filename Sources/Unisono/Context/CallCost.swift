import UnisonoReplica

/// Weight of a queued call in the context's mailbox: one, and one more for each 512 bytes that it carries.
struct CallCost {
  /// What may wait at once.
  static let limit = 16_384

  let units: Int

  static let plain = CallCost(bytes: 0)

  init(bytes: Int) { units = 1 + bytes / 512 }
  init(_ activity: Activity) { self.init(bytes: activity.payload.count + activity.previewImage.count) }
}
