import Glibc

/// What this process takes of its machine, as the system tells; nil: it does not.
struct ProcessMeasures {
  /// In memory, and in all, bytes.
  var residentBytes: Int?
  var virtualBytes: Int?
  /// Of the processor, user and system, s.
  var processorSeconds: Double
  var openFiles: Int?
  var greatestFiles: UInt64?

  static func read() -> ProcessMeasures {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    var measures = ProcessMeasures(processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime))
    if let pages = firstNumbers(of: "/proc/self/statm"), pages.count >= 2 {
      let size = sysconf(Int32(_SC_PAGESIZE))
      measures.virtualBytes = pages[0] * size
      measures.residentBytes = pages[1] * size
    }
    measures.openFiles = countEntries(of: "/proc/self/fd")
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      measures.greatestFiles = UInt64(limit.rlim_cur)
    }
    return measures
  }

  private static func firstNumbers(of path: String) -> [Int]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ").prefix(2).compactMap { Int($0) }
  }

  /// Without the two that every folder has, and the one that reads it.
  private static func countEntries(of path: String) -> Int? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return max(0, count - 3)
  }
}
