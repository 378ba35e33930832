import UnisonoSimulator

// Random sessions on virtual time, for a run of the same seeds beside the native `unisono-sim`.

/// The fingerprint of one seed, as `unisono-sim --fingerprint 1 --seed <seed>` has it.
///
/// - Parameter profile: the place of a profile in the list of all; any other number: drawn from the seed.
@_expose(wasm, "simulation_fingerprint")
@_cdecl("simulation_fingerprint")
public func fingerprint(seed: UInt64, profile: Int32) -> UInt64 {
  let all = Profile.allCases
  let chosen = all.indices.contains(Int(profile)) ? all[Int(profile)] : nil
  let outcome = RandomRun.run(seed: seed, profile: chosen, hasFingerprint: true)
  return outcome.fingerprint?.value ?? 0
}

/// How many invariants the seed's run broke.
@_expose(wasm, "simulation_violations")
@_cdecl("simulation_violations")
public func violations(seed: UInt64, profile: Int32) -> Int32 {
  let all = Profile.allCases
  let chosen = all.indices.contains(Int(profile)) ? all[Int(profile)] : nil
  return Int32(RandomRun.run(seed: seed, profile: chosen).violations.count)
}
