import Synchronization

/// Purpose of a socket that was bound before the loop has taken it over.
struct Reservation: Hashable {
  var kind: BoundSocket.Kind
  var address: HostAndPort
}
