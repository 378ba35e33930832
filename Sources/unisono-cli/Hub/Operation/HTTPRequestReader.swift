import UnisonoRuntime

/// Reader of one request for a page of figures: bytes in, an outcome out. `HTTPHeadReader` reads, this one judges: no bodies, GET's kind
/// of target, HTTP/1.1 or 1.0.
struct HTTPRequestReader {
  struct Request: Equatable {
    var method: String
    /// Without a query.
    var path: String
  }

  enum Outcome: Equatable {
    /// More bytes are needed.
    case incomplete
    case request(Request)
    /// Refused, with this status.
    case refused(Int)
  }

  static let longestTarget = 1_024

  private var reader = HTTPHeadReader()
  private var isOver = false

  /// Takes what came; after anything but `incomplete` further bytes count for nothing.
  mutating func take(_ bytes: [UInt8]) -> Outcome {
    guard !isOver else { return .incomplete }
    do throws(HTTPAnswer) {
      guard let (request, _) = try reader.read(bytes) else { return .incomplete }
      isOver = true
      return try Self.outcome(of: request)
    } catch {
      isOver = true
      return .refused(error.status == 431 && !reader.hasFirstLine ? 414 : error.status)
    }
  }

  private static func outcome(of request: HTTPRequest) throws(HTTPAnswer) -> Outcome {
    guard request.target.utf8.count <= longestTarget else { return .refused(414) }
    guard let path = path(of: request.target) else { return .refused(400) }
    guard ["HTTP/1.1", "HTTP/1.0"].contains(request.version) else { return .refused(505) }
    let length = try request.value("content-length") ?? "0"
    guard length == "0", request.values("transfer-encoding").isEmpty else { return .refused(413) }
    guard try request.value("host") != nil || request.version == "HTTP/1.0" else { return .refused(400) }
    return .request(Request(method: request.method, path: path))
  }

  /// The path of a target, in its origin or absolute form; nil: it is neither.
  private static func path(of target: String) -> String? {
    guard target.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
    var text = target
    if text.lowercased().hasPrefix("http://") {
      let rest = text.dropFirst(7)
      text = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
    guard text.hasPrefix("/") else { return nil }
    return String(text.prefix { $0 != "?" })
  }
}
