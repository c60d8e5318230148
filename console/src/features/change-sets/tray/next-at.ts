import type { ChangeSet } from '../queries.ts'

type Timed = Pick<ChangeSet, 'status' | 'apply_at' | 'revert_at'>

/** When the clock does something to a change set, in ms: it applies what is scheduled, else sets it back. */
export const nextAt = ({ status, apply_at, revert_at }: Timed): number => {
  const time = status === 'scheduled' ? apply_at : revert_at
  return time === null ? Number.POSITIVE_INFINITY : Date.parse(time)
}
