/** The parts that connectors are written with: the contract of adapters, and what runs them. */
export { type Waits, waits } from './account/account.ts'
export { main, type Network, type OpenNetwork } from './command/main.ts'
export { checkConnector, type RunnerOptions, runConnector, runOnce } from './command/runner.ts'
export type { Access, Authorization, NetworkAnswer } from './contract/access.ts'
export type {
  AccountFacts,
  Adapter,
  Apply,
  Days,
  Finding,
  Planned,
  Platform,
  ResultRow,
  Seen,
} from './contract/adapter.ts'
export {
  type FaultKind,
  type FieldFault,
  NetworkFault,
  type NetworkSays,
} from './contract/fault.ts'
export { exponentOf } from './contract/money.ts'
export type { Coverage, Field, Observed, Plan, WorkItem } from './contract/plan.ts'
export { openAccess, unreadable } from './network/access.ts'
export { isLoopback } from './network/loopback.ts'
export { openLog } from './telemetry/log.ts'
export { openMetrics } from './telemetry/metrics.ts'
