import UnisonoNearby

/// Devices nearby that one can join, as they are numbered for a person: a number stays a device's for as long as this lasts.
struct NearbyMenu {
  /// More are not listed: whoever floods the network fills no terminal.
  private static let limit = 20

  private var places: [UInt64] = []
  private var devices: [UInt64: NearbyDevice] = [:]

  /// The line to show; nil: nothing new.
  mutating func take(_ change: BeaconTable.Change) -> String? {
    switch change {
    case .found(let device), .updated(let device):
      guard device.intent == .join else { return nil }
      let before = devices[device.number]
      guard before?.name != device.name, before != nil || places.count < Self.limit || places.contains(device.number)
      else { return nil }
      if !places.contains(device.number) { places.append(device.number) }
      devices[device.number] = device
      return "\((places.firstIndex(of: device.number) ?? 0) + 1)  \(device.name)"
    case .lost(let device):
      guard let place = places.firstIndex(of: device.number), devices.removeValue(forKey: device.number) != nil else {
        return nil
      }
      return "\(place + 1)  \(device.name) is gone"
    }
  }

  var isEmpty: Bool { devices.isEmpty }

  /// The device that was typed; nil: there is none of that number.
  func device(typed: String) -> UInt64? {
    guard let number = Int(typed), places.indices.contains(number - 1) else { return nil }
    return devices[places[number - 1]]?.number
  }
}
