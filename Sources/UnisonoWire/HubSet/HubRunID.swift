import UnisonoBase

/// Marks identifiers of runs.
package enum HubRunKind: Sendable {}

/// Names one start of a hub of a set: 16 random bytes.
package typealias HubRunID = Identifier<HubRunKind>
