import { setTimeout as pause } from 'node:timers/promises'
import type { Seen } from '../contract/adapter.ts'
import type { Observed, WorkItem } from '../contract/plan.ts'
import type { Account } from './account.ts'

/** Reads campaigns, and keeps what was seen. */

const note = ({ seen }: Account, found: ReadonlyMap<string, Seen>): void => {
  for (const [id, each] of found) seen.set(id, each)
}

/** A person who asks wants to know now; after a fault nothing is known. */
const readFirst: readonly WorkItem['why'][] = ['check', 'retry']

/** The campaigns of the items as they were last seen; those of which that says too little are read now. */
export async function readOrListed(
  account: Account,
  items: readonly WorkItem[],
): Promise<Map<string, Seen>> {
  const { seen, unsure, listedAt, listedMs } = account
  const isListed = listedAt > 0 && performance.now() - listedAt < listedMs
  const isKnown = (id: string, { why }: WorkItem) =>
    isListed && seen.has(id) && !unsure.has(id) && !readFirst.includes(why)
  const ids = items.flatMap((item) => item.network_object_id ?? [])
  const unknown = items.flatMap((item) => {
    const id = item.network_object_id
    return id === null || isKnown(id, item) ? [] : [id]
  })
  const known = ids.flatMap((id) => (unknown.includes(id) ? [] : (seen.get(id) ?? [])))
  const read = await readAll(account, unknown)
  return new Map([...known.map((each) => [each.id, each] as const), ...read])
}

/** The campaigns by id, in one reading; what it does not show is looked for once more. */
export async function readAll(
  account: Account,
  ids: readonly string[],
): Promise<Map<string, Seen>> {
  const { access, adapter, waits, signal } = account
  const found = ids.length === 0 ? new Map<string, Seen>() : await adapter.read(access, { ids })
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) {
    await pause(waits.secondLook, undefined, { signal })
    for (const [id, each] of await adapter.read(access, { ids: missing })) found.set(id, each)
  }
  note(account, found)
  for (const id of ids) {
    account.unsure.delete(id)
    if (!found.has(id)) account.seen.delete(id)
  }
  return found
}

/** The campaigns that have the mark; more than one is a fault for people. */
export async function findMarked(account: Account, marker: string): Promise<Seen[]> {
  const found = await account.adapter.read(account.access, { marker })
  note(account, found)
  return [...found.values()].filter((each) => each.marker === marker)
}

/** Reads what was written until it shows what was sent, or it is clear that it does not. */
export async function readBack(
  account: Account,
  id: string,
  isShown: (observed: Observed) => boolean,
): Promise<Seen | null> {
  const { access, adapter, waits, signal } = account
  let last: Seen | null = null
  for (const ms of waits.readBack) {
    await pause(ms, undefined, { signal })
    const found = await adapter.read(access, { ids: [id] })
    note(account, found)
    last = found.get(id) ?? null
    if (last && isShown(last.observed)) return last
  }
  return last
}
