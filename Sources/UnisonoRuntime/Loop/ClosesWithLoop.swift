/// A socket that is closed, without a word, when its loop closes.
protocol ClosesWithLoop: AnyObject {
  func close()
}
