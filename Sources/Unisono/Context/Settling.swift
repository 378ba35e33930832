/// Decides once per turn of the loop, after everything that came in.
protocol Settling: AnyObject {
  func settle()
}
