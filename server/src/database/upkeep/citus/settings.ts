/**
 * Settings of a session or transaction that distributes tables, adds partitions to distributed ones,
 * or fills several tables. Any PostgreSQL takes settings with a prefix that no extension has claimed, and ignores them.
 */
const settings = [
  // The audit log is final by triggers, each of which stays within its row's shard.
  `citus.enable_unsafe_triggers = 'on'`,
  // Tables of organizations refer to tables that are distributed after them.
  `citus.enable_local_reference_table_foreign_keys = 'off'`,
  // Over several connections the shards of one table would wait for each other.
  `citus.multi_shard_modify_mode = 'sequential'`,
  // Rows of a shard on the coordinator are read and copied in one transaction, over one connection.
  `citus.enable_local_execution = 'off'`,
]

export const sessionSettings = settings.map((setting) => `set ${setting}`)
export const transactionSettings = settings.map((setting) => `set local ${setting}`)

/** Has the machines of the shards follow the settings that a transaction makes after it, which triggers read there. */
export const settingsOnShards = `set local citus.propagate_set_commands = 'local'`
