import { setTimeout as pause } from 'node:timers/promises'
import type { Seen } from '../contract/adapter.ts'
import type { Observed } from '../contract/plan.ts'
import type { Account } from './account.ts'

/** Reads campaigns, and keeps what was seen. */

const note = ({ seen }: Account, found: ReadonlyMap<string, Seen>): void => {
  for (const [id, each] of found) seen.set(id, each)
}

const freshMs = 5_000

/** The campaigns by id, without another reading where all of them were listed just now. */
export function readOrListed(
  account: Account,
  ids: readonly string[],
): Promise<Map<string, Seen>> | Map<string, Seen> {
  const { seen, listedAt, writtenAt } = account
  const isFresh = performance.now() - listedAt < freshMs && listedAt > 0
  const listed = ids.flatMap((id) => seen.get(id) ?? [])
  const isUntouched = ids.every((id) => Date.now() - (writtenAt.get(id) ?? 0) > freshMs)
  if (!isFresh || !isUntouched || listed.length < ids.length) return readAll(account, ids)
  return new Map(listed.map((each) => [each.id, each]))
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
  for (const id of ids) if (!found.has(id)) account.seen.delete(id)
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
