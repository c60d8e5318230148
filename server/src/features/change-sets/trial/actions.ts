/** Finds the action that leads a campaign back to a status. Pure. */

const running = ['scheduled', 'active']

/** The clock starts what is scheduled: that is the same run. */
export const isSameStatus = (one: string, other: string): boolean =>
  one === other || (running.includes(one) && running.includes(other))

type ActionStep = { name: string; to: string }

/** Undefined where no action leads there or, for what runs, at least stops it. */
export function actionBack(now: string, before: string): ActionStep | undefined {
  if (now === 'scheduled' && before === 'draft') return { name: 'unschedule', to: 'draft' }
  if (running.includes(now) && !running.includes(before)) return { name: 'pause', to: 'paused' }
  if (now === 'paused' && running.includes(before)) return { name: 'resume', to: 'active' }
  if (now === 'pending_review') return { name: 'withdraw', to: before }
  if (now === 'archived') return { name: 'unarchive', to: before }
  return undefined
}
