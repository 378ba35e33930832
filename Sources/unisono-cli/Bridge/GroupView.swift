import CUnisono
import UnisonoBase

/// What a room is to know of the group: of one instant, as the bridge sees it.
struct GroupView {
  /// Those who are here, in the order of letters.
  var people: [String] = []
  /// What most of them have open; nil: nothing.
  var item: String?
  var motion: GroupMotion?
  var film: SyncplayMessage.File?
  /// Of the group's list, where that is at `item`.
  var entry: unisono_entry_id?
  var areReady = false

  /// Brings the bridge to what most of the others have open first.
  init(_ attendance: Attendance) {
    var policy = unisono_start_policy()
    policy.size = LibraryCall.size(unisono_start_policy.self)
    let isAsked =
      unisono_coordinator_get_start_policy(attendance.coordinator, &policy) >= 0
      && policy.start != .UNISONO_START_AT_ONCE
    var (items, ready) = ([String](), [Bool]())
    attendance.forEachOther { one in
      guard one.connection == .UNISONO_CONNECTION_CONNECTED else { return }
      if let item = one.item { items.append(String(cString: item)) }
      guard one.role != .UNISONO_ROLE_VIEWER else { return }
      people.append(VisibleText.plain(String(cString: one.display_name)))
      // Nobody waits for who is apart.
      if one.suspension_reason_count == 0 { ready.append(Self.isReady(one, isAsked: isAsked)) }
    }
    people.sort()
    areReady = !ready.isEmpty && ready.allSatisfy { $0 }
    attendance.transition(to: GroupPicture.commonItem(items))
    item = attendance.item
    guard let item else { return }
    motion = attendance.timing.flatMap(Self.motion)
    readList(attendance, item)
  }

  /// Where starts do not wait for people's word, a player that could start and a person who does not say otherwise will do.
  private static func isReady(_ one: unisono_participant, isAsked: Bool) -> Bool {
    switch one.readiness {
    case .UNISONO_READINESS_READY: true
    case .UNISONO_READINESS_NOT_READY: false
    default: !isAsked && one.ready != 0
    }
  }

  private static func motion(_ timing: unisono_timing) -> GroupMotion? {
    switch timing.state {
    case .UNISONO_TIMING_PAUSED: .standing(timing.item_time)
    case .UNISONO_TIMING_WAITING: .waiting(timing.item_time)
    case .UNISONO_TIMING_PLAYING:
      .playing(Course(position: timing.item_time, since: timing.host_time, rate: timing.rate))
    default: nil
    }
  }

  private mutating func readList(_ attendance: Attendance, _ item: String) {
    var (duration, size) = (Int64(0), Int64(0))
    if let film = attendance.film, film.item == item { duration = film.duration ?? 0 }
    var list: UnsafePointer<unisono_playlist>?
    if unisono_session_playlist(attendance.session, &list) >= 0, let list {
      defer { unisono_free(list) }
      for place in 0..<list.pointee.count {
        guard let one = list.pointee.items[place]?.pointee, Self.isSame(one.id, list.pointee.current),
          String(cString: one.item) == item
        else { continue }
        entry = one.id
        if let copy = one.copy?.pointee {
          if copy.duration > 0 { duration = copy.duration }
          size = Int64(clamping: copy.file_size)
        }
      }
    }
    film = SyncplayMessage.File(name: String(VisibleText.plain(item).prefix(250)), duration: duration, size: size)
  }

  static func isSame(_ one: unisono_entry_id, _ other: unisono_entry_id) -> Bool {
    withUnsafeBytes(of: one) { one in withUnsafeBytes(of: other) { one.elementsEqual($0) } }
  }
}
