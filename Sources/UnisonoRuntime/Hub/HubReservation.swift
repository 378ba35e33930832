/// A hub's sockets, bound on any thread before the hub itself is made on its loop: so that a call from outside can report
/// an address in use, and name the hub in an invite, before it returns.
package struct HubReservation: Sendable {
  /// With the bound addresses in `listen`: what to make the `HubServer` with, on the same loop.
  package let options: HubOptions
  /// As `HubServer.addresses`.
  package let addresses: [String]

  /// Binds now, on any thread.
  package init(_ options: HubOptions, on loop: any ContextLoop) throws(NetworkError) {
    for address in options.advertise { _ = try HostAndPort(parsing: address) }
    var bound = options
    if options.listen.isEmpty {
      do throws(NetworkError) {
        bound.listen = [try Self.reserve(HubOptions.everywhere, on: loop)]
      } catch {
        bound.listen = [try Self.reserve(HubOptions.everywhereIPv4, on: loop)]
      }
    } else {
      bound.listen = []
      for address in options.listen { bound.listen.append(try Self.reserve(address, on: loop)) }
    }
    self.options = bound
    addresses = bound.addresses(localAddresses: loop.localAddresses())
  }

  /// TCP, and UDP on the same number if that is free.
  private static func reserve(_ address: String, on loop: any ContextLoop) throws(NetworkError) -> String {
    let wanted = try HostAndPort(parsing: address)
    var bound = try loop.reserveListener(on: address)
    var isPaired = (try? loop.reserveDatagrams(on: bound)) != nil
    if wanted.port == 0 {
      for _ in 1..<HubSocket.tries where !isPaired {
        bound = try loop.reserveListener(on: address)
        isPaired = (try? loop.reserveDatagrams(on: bound)) != nil
      }
    }
    return bound
  }
}
