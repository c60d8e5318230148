import { FlightdeckError } from '@flightdeckhq/sdk'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { flightdeck } from '../../flightdeck.ts'
import { detailOf, faultText } from '../../ui/problem.ts'
import type { ChangeSet } from './queries.ts'
import { operationsOf, type TrayEdit } from './tray.ts'

/** Faults of edits, in words, by the object of the edit. */
type EditFaults = ReadonlyMap<string, readonly string[]>

export type Failing = {
  faults: EditFaults
  /** How many more fail, of which the service sends no reason; null where it does not say. */
  more: number | null
}

type Edits = readonly TrayEdit[]
type Trial = Failing & { changeSet: ChangeSet | null }
type Found = { index: number; text: string }

export const noneFailing: Failing = { faults: new Map(), more: 0 }

/** A reply has at most as many faults. */
const maxFaults = 50

/**
 * Tries the edits: their effect, and which of them fail; until it is known, the result of the last
 * trial.
 */
export function useTrial(edits: Edits) {
  const { data, error } = useQuery(trialQuery(edits))
  return { trial: data?.changeSet, error, failing: stillFailing(edits, data ?? noneFailing) }
}

const trialQuery = (edits: Edits) =>
  queryOptions({
    queryKey: ['change_sets', 'trial', edits],
    queryFn: () => tried(edits),
    enabled: edits.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** A refusal that names edits is an answer too: it stays while the next one is awaited. */
async function tried(edits: Edits): Promise<Trial> {
  const operations = operationsOf(edits)
  try {
    const changeSet = await flightdeck.changeSets
      .propose({ title: 'Trial', mode: 'atomic', operations })
      .dryRun()
    const { failures = [], summary } = changeSet
    const found = failures.map(({ index, problem }) => ({ index, text: detailOf(problem) }))
    const unsent = summary.failed - found.length
    const isOneEach = operations.length === edits.length
    return {
      changeSet,
      faults: faultsIn(edits, found),
      more: unsent === 0 || isOneEach ? unsent : null,
    }
  } catch (error) {
    const failing = failingOf(edits, error)
    if (failing.faults.size === 0) throw error
    return { changeSet: null, ...failing }
  }
}

/** The edits that a refusal names. */
export function failingOf(edits: Edits, error: unknown): Failing {
  const found = foundIn(error)
  return { faults: faultsIn(edits, found), more: found.length < maxFaults ? 0 : null }
}

/**
 * The faults of edits that still wait: each is about an object, and holds for as long as its edit
 * waits.
 */
export function stillFailing(edits: Edits, ...found: readonly Failing[]): Failing {
  const waiting = new Set(edits.map(({ id }) => id))
  const faults = found.flatMap((each) => [...each.faults]).filter(([id]) => waiting.has(id))
  const more = found.reduce<number | null>(
    (sum, each) => (sum === null || each.more === null ? null : sum + each.more),
    0,
  )
  return { faults: new Map(faults), more }
}

export const countOf = ({ faults, more }: Failing): string =>
  more === null ? `At least ${faults.size}` : `${faults.size + more}`

/** `/operations/3/body/name`: the operation, and what is wrong with it. */
const foundIn = (error: unknown): Found[] =>
  (error instanceof FlightdeckError ? error.errors : []).flatMap(
    ({ pointer = '', message = '' }) =>
      isOfOperation(pointer)
        ? [{ index: Number(pointer.split('/')[2]), text: faultText(pointer, message) }]
        : [],
  )

const isOfOperation = (pointer: string): boolean => pointer.startsWith('/operations/')

function faultsIn(edits: Edits, found: readonly Found[]): EditFaults {
  const objects = edits.flatMap((edit) => operationsOf([edit]).map(() => edit.id))
  const faults = new Map<string, string[]>()
  for (const { index, text } of found) {
    const id = objects[index]
    if (id !== undefined) faults.set(id, [...(faults.get(id) ?? []), text])
  }
  return faults
}

/** The refusal without what stands at the edits already. */
export function withoutFaultsOfEdits(error: unknown): unknown {
  if (!(error instanceof FlightdeckError) || foundIn(error).length === 0) return error
  const errors = error.errors.filter(({ pointer = '' }) => !isOfOperation(pointer))
  return new FlightdeckError({
    ...error.problem,
    detail: 'Look at the edits that are marked.',
    errors,
  })
}
