/** Faults by switch: what goes wrong, of which requests, and how often. */

export type FaultKind =
  /** The line breaks before anything is done, or after it. */
  | 'lose_before'
  | 'lose_after'
  | 'quota'
  | 'transient'
  | 'concurrent'
  /** Reads show what was so long ago. */
  | 'lag'
  | 'slow'
  /** A gateway’s answer in place of the network’s. */
  | 'rubbish'
  /** Any error, by its word. */
  | 'error'
  /** An error of the Cloud project, by its reason in `google.rpc.ErrorInfo`: Google Ads is not reached. */
  | 'project'

export type Fault = {
  kind: FaultKind
  /** Share of the requests; 1 by default. */
  rate?: number
  /** How often it still happens; without it until it is taken back. */
  times?: number
  on?: 'read' | 'write'
  ms?: number
  seconds?: number
  scope?: 'ACCOUNT' | 'DEVELOPER'
  /** `campaignError.DUPLICATE_CAMPAIGN_NAME`, for `error`; a reason, for `project`. */
  word?: string
}

export type Faults = {
  set(faults: readonly Fault[]): void
  /** The fault of this kind that hits the request; counts it. */
  hit(kind: FaultKind, isWrite: boolean): Fault | undefined
}

export function faultSwitches(random: () => number): Faults {
  let active: Fault[] = []
  const isOf = ({ on, times }: Fault, isWrite: boolean) =>
    (on === undefined || (on === 'write') === isWrite) && (times === undefined || times > 0)
  return {
    set(faults) {
      active = faults.map((fault) => ({ ...fault }))
    },
    hit(kind, isWrite) {
      const fault = active.find((each) => each.kind === kind && isOf(each, isWrite))
      if (!fault || (fault.rate !== undefined && random() >= fault.rate)) return undefined
      if (fault.times !== undefined) fault.times -= 1
      return fault
    },
  }
}
