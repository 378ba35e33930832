/// Object that decides at the end of a turn of the loop, after everything that came in.
protocol EndOfTurnParticipant: AnyObject {
  func settle()
}
