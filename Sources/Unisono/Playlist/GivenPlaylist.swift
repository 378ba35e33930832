import CUnisono
import UnisonoBase
import UnisonoReplica
import UnisonoRuntime

/// Entries and copies as hosts give them, copied and checked.
enum GivenPlaylist {
  /// An entry without place and time, which it is given when it is written.
  static func entry(_ pointer: UnsafePointer<unisono_playlist_entry>?) throws(Failure) -> PlaylistEntry {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "entry is NULL") }
    let given = try copied(pointer, into: unisono_playlist_entry(), atLeast: 64, "entry")
    guard given.reserved == 0 else { throw Failure(.UNISONO_ENOTSUP, "entry.reserved is set; leave it 0") }
    let item = try InputText.required(given.item, atMost: ItemID.maximumLength, "entry.item", tooLong: .UNISONO_ETOOBIG)
    let title = try InputText.visible(given.title, atMost: WireLimits.title, "entry.title", tooLong: .UNISONO_ETOOBIG)
    let copy = try copy(given.copy, "entry.copy")
    return PlaylistEntry(
      place: .spread(0), item: ItemID(item), added: 0, title: title ?? "", copy: copy ?? Copy(),
      addresses: try addresses(given), ranges: try ranges(given))
  }

  private static func addresses(_ given: unisono_playlist_entry) throws(Failure) -> [String] {
    // A size_t above Int.max arrives negative.
    guard (0...WireLimits.entryAddresses).contains(given.address_count) else {
      throw Failure(.UNISONO_EINVAL, "entry.addresses: at most \(WireLimits.entryAddresses) are taken")
    }
    guard given.address_count > 0 else { return [] }
    guard let pointer = given.addresses else {
      throw Failure(.UNISONO_EINVAL, "entry.addresses is NULL, but their count is \(given.address_count)")
    }
    var addresses: [String] = []
    for index in 0..<given.address_count {
      let name = "entry.addresses[\(index)]"
      let address = try InputText.visible(pointer[index], atMost: WireLimits.url, name, tooLong: .UNISONO_ETOOBIG)
      guard let address, !address.isEmpty else {
        throw Failure(.UNISONO_EINVAL, "\(name) is missing; give 1...\(WireLimits.url) bytes of UTF-8")
      }
      addresses.append(address)
    }
    return addresses
  }

  private static func ranges(_ given: unisono_playlist_entry) throws(Failure) -> [SkipRange] {
    // A size_t above Int.max arrives negative.
    guard (0...SkipRange.most).contains(given.range_count) else {
      throw Failure(.UNISONO_EINVAL, "entry.ranges: at most \(SkipRange.most) are taken")
    }
    guard given.range_count > 0 else { return [] }
    guard let pointer = given.ranges else {
      throw Failure(.UNISONO_EINVAL, "entry.ranges is NULL, but their count is \(given.range_count)")
    }
    var ranges: [SkipRange] = []
    for index in 0..<given.range_count {
      let range = pointer[index]
      guard let number = UInt8(exactly: range.kind.rawValue), let kind = SkipRange.Kind(rawValue: number) else {
        throw Failure(.UNISONO_EINVAL, "entry.ranges[\(index)].kind is \(range.kind.rawValue); give a unisono_range_kind")
      }
      guard range.reserved == 0 else { throw Failure(.UNISONO_ENOTSUP, "entry.ranges[\(index)].reserved is set; leave it 0") }
      ranges.append(SkipRange(begin: range.begin, end: range.end, kind: kind))
    }
    if let index = SkipRange.fault(in: ranges) {
      throw Failure(
        .UNISONO_EINVAL,
        "entry.ranges[\(index)] begins before 0 or before the end of the one before, is shorter than 1 s, or ends after 7 days")
    }
    return ranges
  }

  /// nil: NULL was given.
  static func copy(_ pointer: UnsafePointer<unisono_copy>?, _ name: StaticString) throws(Failure) -> Copy? {
    guard let pointer else { return nil }
    let given = try copied(pointer, into: unisono_copy(), atLeast: 56, name)
    guard given.duration >= 0 else {
      throw Failure(.UNISONO_EINVAL, "\(name).duration is \(given.duration); give ns above 0, or 0 where it is not known")
    }
    return Copy(
      duration: given.duration, size: given.file_size,
      hash: given.has_hash == 0 ? [] : withUnsafeBytes(of: given.hash) { Array($0) })
  }

  /// nil: NULL, or all zero.
  static func id(_ pointer: UnsafePointer<unisono_entry_id>?) -> EntryID? {
    guard let pointer, let id = withUnsafeBytes(of: pointer.pointee.bytes, { EntryID(bytes: $0) }), id != .none else { return nil }
    return id
  }

  static func requiredID(_ pointer: UnsafePointer<unisono_entry_id>?) throws(Failure) -> EntryID {
    guard let id = id(pointer) else { throw Failure(.UNISONO_EINVAL, "id is NULL or all zero; give that of an entry") }
    return id
  }
}

/// `unisono_copy_of_file`.
func fillCopy(ofFile path: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<unisono_copy>?) throws(Failure) {
  let path = try InputText.required(path, atMost: 4_095, "path")
  guard let out else { throw Failure(.UNISONO_EINVAL, "copy_out is NULL") }
  var filled = try copied(UnsafePointer(out), into: unisono_copy(), atLeast: 56, "copy_out")
  do throws(FileSamples.Problem) {
    let samples = try FileSamples(path: path)
    filled.file_size = samples.size
    filled.has_hash = 1
    withUnsafeMutableBytes(of: &filled.hash) { $0.copyBytes(from: samples.hash) }
  } catch {
    throw switch error {
    case .notFound: Failure(.UNISONO_ENOTFOUND, "there is no such file")
    case .denied: Failure(.UNISONO_EDENIED, "the file may not be read")
    case .notRegular: Failure(.UNISONO_EINVAL, "path is no regular file")
    case .isEmpty: Failure(.UNISONO_EINVAL, "the file is empty")
    case .unreadable: Failure(.UNISONO_EIO, "the file could not be read to its end")
    }
  }
  try write(filled, to: out, "copy_out")
}
