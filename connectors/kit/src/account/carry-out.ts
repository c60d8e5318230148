import type { Seen } from '../contract/adapter.ts'
import { NetworkFault } from '../contract/fault.ts'
import type { WorkItem } from '../contract/plan.ts'
import type { Held } from '../lease/lease.ts'
import type { Account, ReportInput } from './account.ts'
import { bringTo, over } from './change.ts'
import { findOrCreate, theMarked } from './create.ts'
import { aboutSeen, reportOf, reportOfFault } from './report.ts'
import { write } from './write.ts'

/** Does one item of work: reads, compares, acts, reads back; answers what there is to report. */

export type Doing = { item: WorkItem; held: Held; found: ReadonlyMap<string, Seen> }

export async function carryOut(account: Account, doing: Doing): Promise<ReportInput[]> {
  const { item } = doing
  try {
    const reports =
      item.why === 'remove' ? await remove(account, doing) : await keep(account, doing)
    if (reports.every(({ error }) => !error)) account.backoff.forget(item.deployment_id)
    return reports
  } catch (error) {
    return [reportOfFault(account, item, error)]
  }
}

async function keep(account: Account, { item, held, found }: Doing): Promise<ReportInput[]> {
  const { network_object_id: id } = item
  const made = id === null ? await findOrCreate(account, item, held) : null
  if (made && 'reports' in made) return made.reports
  const seen = made ? made.seen : found.get(id ?? '')
  if (!seen) return [reportOf(item, 'gone')]
  if (item.why === 'check') return [reportOf(item, 'observed', aboutSeen(account, seen))]
  const isNew = item.observed === null && item.mode === 'create'
  return reportsOfChange(account, item, { seen, isNew })
}

/** That the campaign is there is sent even where the rest failed. */
async function reportsOfChange(
  account: Account,
  item: WorkItem,
  { seen, isNew }: { seen: Seen; isNew: boolean },
): Promise<ReportInput[]> {
  try {
    const changed = await bringTo(account, item, seen)
    if (!changed) return [reportOf(item, 'gone')]
    const { seen: after, isWritten } = changed
    const outcome = isWritten || isNew ? 'applied' : 'unchanged'
    return [reportOf(item, outcome, aboutSeen(account, after))]
  } catch (error) {
    const latest = account.seen.get(seen.id) ?? seen
    return [{ ...reportOfFault(account, item, error), ...aboutSeen(account, latest) }]
  }
}

async function remove(account: Account, { item, found }: Doing): Promise<ReportInput[]> {
  const { network_object_id: known } = item
  const id = known ?? (await theMarked(account, item))?.id ?? null
  if (id === null) {
    const isSure = item.intent === null || item.intent.looks >= 1
    if (isSure) return [reportOf(item, 'gone')]
    const seconds = Math.max(1, Math.ceil(account.waits.betweenLooks / 1_000))
    const error = { code: 'unknown_outcome' as const, message: 'It is looked for once more.' }
    return [
      reportOf(item, 'checked'),
      reportOf(item, 'unknown_outcome', { error, retry_after_seconds: seconds }),
    ]
  }
  if (known !== null && !found.has(id)) return [reportOf(item, 'gone')]
  account.writtenAt.set(id, Date.now())
  await account.adapter.remove(account.access, id)
  if ((await account.adapter.read(account.access, { ids: [id] })).has(id))
    throw new NetworkFault('transient', 'The network still shows what was removed.')
  account.seen.delete(id)
  return [reportOf(item, 'applied', { network_object_id: id })]
}

/** The network's judgement of an item without doing it; null: nothing differs. */
export async function tryOut(
  account: Account,
  { item, found }: Omit<Doing, 'held'>,
): Promise<ReportInput | null> {
  try {
    const seen = found.get(item.network_object_id ?? '') ?? null
    if (item.network_object_id !== null && !seen) return reportOf(item, 'gone')
    const plan = seen ? { ...over(item.desired, seen.observed), ...item.desired } : item.desired
    await write(account, { item, plan, seen, validateOnly: true })
    return null
  } catch (error) {
    return reportOfFault(account, item, error)
  }
}
