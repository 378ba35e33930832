/// How much of a hub is taken, for other hubs to know where there is place.
struct HubLoad: Equatable {
  /// Entered connections, of how many.
  var connections = 0
  var limit = 0
  /// The same of those who listen to audiences.
  var listening = 0
  var listeningLimit = 0
  /// That are open here.
  var audiences = 0
}
