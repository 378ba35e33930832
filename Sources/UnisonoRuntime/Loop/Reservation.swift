import Synchronization

/// What a socket was bound for before the loop took it over.
struct Reservation: Hashable {
  var kind: BoundSocket.Kind
  var address: HostAndPort
}
