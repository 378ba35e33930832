extension RandomAccessCollection where Index == Int {
  /// Index of the first element from which on `belongs` holds, of elements that are sorted such that it holds for none before and
  /// for all after; `endIndex`: for none. Binary search, as `partitioningIndex(where:)` of Swift Algorithms.
  package func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
