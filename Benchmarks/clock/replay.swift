// The clock filter of this project, fed with exchanges on standard input. Compiled together with Sources/UnisonoCore/Clock
// and Time, nothing else: it sees the four timestamps and no truth.
//
// A line "asked received replied answered" is answered by the model after it,
//   hostTime remoteTime rate errorBound errorGrowth  and, while something plays,  remote bound   at hostTime;
// a line "new" begins another trace and is not answered.

@main
enum Replay {
  static func main() {
    var clock: RemoteClock?
    var slewed: SlewedClock?
    while let line = readLine() {
      let numbers = line.split(separator: " ").compactMap { Int64($0) }
      guard numbers.count == 4 else {
        (clock, slewed) = (nil, nil)
        continue
      }
      let sample = ClockSample(asked: numbers[0], received: numbers[1], replied: numbers[2], answered: numbers[3])
      if clock == nil { clock = RemoteClock(at: sample.asked) }
      clock?.add(sample, by: .datagram, at: sample.answered, isPlaying: true)
      if let model = clock?.filter.model, slewed?.adopt(model, at: sample.answered, mayStep: false) == nil { slewed = SlewedClock(model) }
      guard let model = clock?.filter.model, let published = slewed else {
        print("none")
        continue
      }
      let now = sample.answered
      print(
        model.hostTime, model.remoteTime, model.rate, model.errorBound, model.errorGrowth, published.remote(at: now),
        published.error(at: now))
    }
  }
}
