import type { Access, AccountFacts, Seen } from '../kit/src/connect.ts'
import { customerOf, search } from './calls/ask.ts'
import { areIds, queries } from './calls/queries.ts'
import {
  campaignIn,
  customerIn,
  idIn,
  isObject,
  type Json,
  labelIn,
  scheduleIn,
  unitIn,
} from './calls/rows.ts'
import { stepOf } from './mapping/money.ts'
import { type AdSchedule, keyOf } from './mapping/schedule.ts'
import { type CampaignRow, type ScheduleRow, seenOf, type Whole } from './mapping/seen.ts'

/**
 * Readings of accounts, in few queries: each look at an idle account is one. Most are of its campaigns, with
 * the account itself; hours and marks take turns with them, as nearly all of their changes are our own.
 */

type Reading = {
  facts: AccountFacts | null
  rows: Map<string, CampaignRow>
  schedules: Map<string, ScheduleRow[]>
  markers: Map<string, string[]>
  /** Hours that were written: they are read again until they show. */
  awaited: Map<string, Awaited>
  turn: number
  /** A look that the listing after it need not repeat; by this process’s clock. */
  freshUntil: number
}

type Awaited = { hours: string; until: number; isAlone: boolean }

const readings = new WeakMap<Access, Reading>()

function readingOf(access: Access): Reading {
  const known = readings.get(access)
  if (known) return known
  const reading: Reading = {
    ...{ facts: null, turn: 0, freshUntil: 0 },
    ...{ rows: new Map(), schedules: new Map(), markers: new Map(), awaited: new Map() },
  }
  readings.set(access, reading)
  return reading
}

const turns = 6
const [scheduleTurn, labelTurn] = [2, 5]
const freshMs = 5_000

/** Looks at the account; answers what it is. */
export async function look(access: Access): Promise<AccountFacts> {
  const reading = readingOf(access)
  const turn = reading.facts === null ? 0 : reading.turn % turns
  const isOther = turn === scheduleTurn || turn === labelTurn
  // Without campaigns nothing comes with them: the account itself takes those turns.
  if (isOther && reading.rows.size === 0) reading.facts = await factsOf(access)
  else if (turn === scheduleTurn) await readSchedules(access, null)
  else if (turn === labelTurn) await readMarkers(access, null)
  else await readCampaigns(access, null)
  reading.facts ??= await factsOf(access)
  reading.turn += 1
  reading.freshUntil = performance.now() + freshMs
  return reading.facts
}

/** All campaigns of the account, as the look just before has found them, or by a look now. */
export async function listAll(access: Access): Promise<Seen[]> {
  const reading = readingOf(access)
  if (performance.now() > reading.freshUntil) {
    await readCampaigns(access, null)
    await readSchedules(access, null)
    await readMarkers(access, null)
  }
  reading.freshUntil = 0
  return [...reading.rows.keys()].flatMap((id) => seenIn(access, id) ?? [])
}

/** The campaigns by id; what is not there is left out. */
export async function readIds(access: Access, ids: readonly string[]): Promise<Map<string, Seen>> {
  const found = new Map<string, Seen>()
  if (!areIds(ids)) return found
  const { rows, awaited } = readingOf(access)
  // Hours that were written alone are read back alone.
  const isOfHours = ids.every((id) => rows.has(id) && awaited.get(id)?.isAlone)
  await (isOfHours ? readSchedules(access, ids) : readCampaigns(access, ids))
  for (const id of ids) {
    const seen = seenIn(access, id)
    if (seen) found.set(id, seen)
  }
  return found
}

export async function readMarked(access: Access, marker: string): Promise<Map<string, Seen>> {
  const ids = (await search(access, queries.marked(marker))).map((row) => labelIn(row).campaignId)
  const found = await readIds(access, ids)
  for (const [id, seen] of found) found.set(id, { ...seen, marker })
  return found
}

export function wholeOf(access: Access, id: string): Whole | null {
  const { rows, schedules, markers } = readingOf(access)
  const row = rows.get(id)
  if (!row) return null
  return { row, schedules: schedules.get(id) ?? [], markers: markers.get(id) ?? [] }
}

function seenIn(access: Access, id: string): Seen | null {
  const whole = wholeOf(access, id)
  return whole && seenOf(whole, access, Date.now())
}

/** Has all of a campaign read again. */
export function forget(access: Access, id: string): void {
  const reading = readingOf(access)
  reading.freshUntil = 0
  reading.schedules.delete(id)
  reading.awaited.delete(id)
}

type Written = {
  schedule: readonly AdSchedule[]
  /** Whether nothing else was written. */
  isAlone?: boolean
  /** That of a new campaign, which is known. */
  marker?: string
}

/** Time for which reads may show what was before a write. */
const lagMs = 60_000

/** Has hours that were written read until they show; a new campaign without them has none. */
export function awaitHours(
  access: Access,
  id: string,
  { schedule, isAlone = false, marker }: Written,
): void {
  const reading = readingOf(access)
  forget(access, id)
  if (marker !== undefined) reading.markers.set(id, [marker])
  if (marker !== undefined && schedule.length === 0) return void reading.schedules.set(id, [])
  const until = performance.now() + lagMs
  reading.awaited.set(id, { hours: textOf(schedule), until, isAlone })
}

const textOf = (schedule: readonly AdSchedule[]): string => schedule.map(keyOf).toSorted().join()

type Ids = readonly string[] | null

async function readCampaigns(access: Access, ids: Ids): Promise<void> {
  const reading = readingOf(access)
  const { rows } = reading
  const results = await search(access, queries.campaigns(ids))
  for (const id of ids ?? [...rows.keys()]) rows.delete(id)
  for (const row of results.map(campaignIn)) rows.set(row.id, row)
  const [first] = results
  if (first) reading.facts = await withStep(access, first)
  await readUnread(access, [...rows.keys()])
}

/** Hours and marks of campaigns that were not seen before, or that we have changed. */
async function readUnread(access: Access, ids: readonly string[]): Promise<void> {
  const { schedules, markers, awaited, rows } = readingOf(access)
  const some = (isUnread: (id: string) => boolean): Ids => {
    const unread = ids.filter(isUnread)
    return unread.length > mostNamed || unread.length === rows.size ? null : unread
  }
  const hours = some((id) => !schedules.has(id) || awaited.has(id))
  const marks = some((id) => !markers.has(id))
  if (rows.size > 0 && (hours === null || hours.length > 0)) await readSchedules(access, hours)
  if (rows.size > 0 && (marks === null || marks.length > 0)) await readMarkers(access, marks)
}

/** More campaigns are read as all of them. */
const mostNamed = 500

async function readSchedules(access: Access, ids: Ids): Promise<void> {
  const { schedules, awaited, rows } = readingOf(access)
  const results = (await search(access, queries.schedules(ids))).map(scheduleIn)
  const found = Map.groupBy(results, ({ campaignId }) => campaignId)
  for (const id of ids ?? rows.keys()) {
    const hours = found.get(id) ?? []
    schedules.set(id, hours)
    const written = awaited.get(id)
    if (!written) continue
    if (written.hours === textOf(hours) || performance.now() > written.until) awaited.delete(id)
    // Other values may be late or changed too.
    else written.isAlone = false
  }
}

async function readMarkers(access: Access, ids: Ids): Promise<void> {
  const { markers, rows } = readingOf(access)
  const found = Map.groupBy(
    (await search(access, queries.labels(ids))).map(labelIn),
    ({ campaignId }) => campaignId,
  )
  for (const id of ids ?? rows.keys())
    markers.set(
      id,
      (found.get(id) ?? []).map(({ name }) => name),
    )
}

async function factsOf(access: Access): Promise<AccountFacts> {
  const [row] = await search(access, queries.customer)
  return withStep(access, row ?? {})
}

/** The account under the name that it was asked for by, with the step of its budgets. */
async function withStep(access: Access, row: Json): Promise<AccountFacts> {
  const { facts } = readingOf(access)
  const next = customerIn(row)
  const isAsked = idIn(isObject(row.customer) ? row.customer : {}, 'id') === customerOf(access)
  const ref = isAsked ? access.accountRef : next.ref
  if (facts?.budgetStepMinor !== undefined && facts.currency === next.currency)
    return { ...next, ref, budgetStepMinor: facts.budgetStepMinor }
  const [unit] = await search(access, queries.unit(next.currency))
  return { ...next, ref, budgetStepMinor: stepOf(unit ? unitIn(unit) : '1', next.currency) }
}
