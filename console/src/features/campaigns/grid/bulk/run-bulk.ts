import { FlightdeckError, type Result, type WriteOptions } from '@flightdeckhq/sdk'
import { flightdeck, type Schema } from '../../../../flightdeck.ts'
import { faultText } from '../../../../ui/problem.ts'
import { learn } from '../known.ts'
import {
  type BulkChange,
  type BulkOperation,
  operationOf,
  type Subject,
  subjectFields,
} from './change.ts'

/** The most operations of one request, and so of one transaction. */
export const mostAtomic = 100

type BulkResult = Result<'bulkCampaigns'>['results'][number]
type Problem = Schema<'Problem'>

export type Outcome = {
  id: string
  before: Subject
  /** The campaign after the change, done or tried; null if nothing changes. */
  after: Subject | null
  operation: BulkOperation | null
  /** The reason why the campaign stays as it is. */
  left: string | null
  warnings: readonly string[]
  problem: Problem | null
}

/** The campaigns as they are now: what was loaded may be older, or lack a column. */
export async function readSubjects(ids: readonly string[]): Promise<Subject[]> {
  const found = new Map<string, Subject>()
  for (const id of chunksOf(ids, mostAtomic)) {
    const query = { id, fields: [...subjectFields], limit: mostAtomic, include_archived: true }
    for (const subject of (await flightdeck.campaigns.list(query)).data)
      found.set(subject.id, subject)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

export type Write = Pick<WriteOptions, 'reason' | 'overrideReason'>

/** All the checks of the change, by row; nothing is stored. */
export async function tryOut(
  change: BulkChange,
  subjects: readonly Subject[],
  write: Write,
): Promise<Outcome[]> {
  const planned = subjects.map((before) => plan(change, before))
  const sent = planned.filter(({ operation }) => operation !== null)
  const tried = new Map<string, Outcome>()
  for (const chunk of chunksOf(sent, mostAtomic)) {
    const operations = operationsOf(chunk)
    const reply = await flightdeck.campaigns.bulk({ mode: 'partial', operations }, write).dryRun()
    for (const [at, outcome] of chunk.entries()) {
      const done = outcomeOf(outcome, reply.results[at])
      tried.set(outcome.id, { ...done, warnings: warningsAt(reply.warnings, at) })
    }
  }
  return planned.map((outcome) => tried.get(outcome.id) ?? outcome)
}

function plan(change: BulkChange, before: Subject): Outcome {
  const none = { after: null, warnings: [], problem: null }
  const operation = operationOf(change, before)
  return 'left' in operation
    ? { ...none, id: before.id, before, operation: null, left: operation.left }
    : { ...none, id: before.id, before, operation, left: null }
}

const operationsOf = (outcomes: readonly Outcome[]): BulkOperation[] =>
  outcomes.flatMap(({ operation }) => operation ?? [])

function outcomeOf(outcome: Outcome, result: BulkResult | undefined): Outcome {
  if (!result) return outcome
  const { object, problem = null } = result
  const isSame = object?.version === outcome.before.version
  return {
    ...outcome,
    problem,
    after: isSame ? null : (object ?? null),
    left: isSame ? 'It is so already.' : null,
  }
}

const warningsAt = (warnings: readonly Schema<'Warning'>[], at: number): string[] =>
  warnings
    .filter(
      ({ pointer }) => pointer === undefined || `${pointer}/`.startsWith(`/operations/${at}/`),
    )
    .map(({ message }) => message)

export type Mode = 'partial' | 'atomic'

/** Applies what was tried, in requests of a hundred. `onDone` gets the outcomes of each. */
export async function apply(
  outcomes: readonly Outcome[],
  mode: Mode,
  { write, onDone }: { write: Write; onDone: (outcomes: readonly Outcome[]) => void },
): Promise<void> {
  for (const chunk of chunksOf(outcomes, mostAtomic)) {
    const operations = operationsOf(chunk)
    const { results } = await flightdeck.campaigns.bulk({ mode, operations }, write)
    learn(results.flatMap(({ object }) => object ?? []))
    onDone(chunk.map((outcome, at) => outcomeOf(outcome, results[at])))
  }
}

function* chunksOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** Refused as a whole: the operations at fault, by their place in the request. */
export function refusedAt(error: unknown): ReadonlyMap<number, string> {
  const faults = new Map<number, string>()
  if (!(error instanceof FlightdeckError)) return faults
  for (const { pointer = '', message = '' } of error.errors) {
    const at = /^\/operations\/(\d+)/.exec(pointer)?.[1]
    if (at !== undefined) faults.set(Number(at), faultText(pointer, message))
  }
  return faults
}
