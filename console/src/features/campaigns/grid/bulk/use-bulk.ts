import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { aspectOf, type BulkChange, type Subject, undoOf } from './change.ts'
import {
  apply,
  type Mode,
  type Outcome,
  readSubjects,
  refusedAt,
  tryOut,
  type Write,
} from './run-bulk.ts'

export type Step =
  | { name: 'choose' }
  | { name: 'tried'; change: BulkChange; outcomes: readonly Outcome[] }
  | { name: 'done'; change: BulkChange; outcomes: readonly Outcome[] }

type State = {
  step: Step
  busy: string | null
  error: unknown
  refused: ReadonlyMap<string, string>
}

const noneRefused: ReadonlyMap<string, string> = new Map()
const begun: State = { step: { name: 'choose' }, busy: null, error: null, refused: noneRefused }

export const isToDo = ({ operation, problem, left }: Outcome): boolean =>
  operation !== null && problem === null && left === null

/** Whether the operation may be proposed: also one that needs a change set. */
export const isToPropose = ({ operation, problem, left }: Outcome): boolean =>
  operation !== null &&
  left === null &&
  (problem === null || problem.code === 'change_set_required')

/** A change of many campaigns: chosen, tried out, applied; then again for those that failed. */
export function useBulk(given: readonly string[]) {
  const [ids, setIds] = useState(given)
  const { state, attempt, onProgress, back } = useAttempts()
  const subjects = useQuery({
    queryKey: ['bulk subjects', ids],
    queryFn: () => readSubjects(ids),
    staleTime: 0,
    gcTime: 0,
  })

  const tryChange = (change: BulkChange, write: Write, those = ids) =>
    attempt('Trying it out…', async () => {
      // As they are at this moment: the versions are what is applied on.
      const fresh = await readSubjects(those)
      setIds(those)
      return { step: { name: 'tried', change, outcomes: await tryOut(change, fresh, write) } }
    })

  const applyTried = (mode: Mode, write: Write) => {
    if (state.step.name !== 'tried') return
    const { change, outcomes } = state.step
    void attempt('Applying…', async () => {
      const { error, refused, applied } = await applyAll(outcomes, mode, { write, onProgress })
      // A change of which nothing was applied stays as tried.
      if (!applied) return { error, refused }
      return { error, step: { name: 'done', change, outcomes: applied } }
    })
  }

  return {
    ...state,
    ids,
    subjects: subjects.data,
    readError: subjects.error,
    currencies: currenciesOf(subjects.data ?? []),
    tryChange,
    applyTried,
    back,
  }
}

/** The state of one attempt after the other: the work under way, and its result. */
function useAttempts() {
  const [state, setState] = useState(begun)
  const note = (changes: Partial<State>) => setState((before) => ({ ...before, ...changes }))
  async function attempt(busy: string, work: () => Promise<Partial<State>>): Promise<void> {
    note({ busy, error: null, refused: noneRefused })
    try {
      note({ busy: null, ...(await work()) })
    } catch (error) {
      note({ busy: null, error })
    }
  }
  return {
    state,
    attempt,
    onProgress: (busy: string) => note({ busy }),
    back: () => setState(begun),
  }
}

type Applying = { write: Write; onProgress: (busy: string) => void }

type Applied = {
  error: unknown
  refused: ReadonlyMap<string, string>
  applied: readonly Outcome[] | null
}

async function applyAll(
  outcomes: readonly Outcome[],
  mode: Mode,
  { write, onProgress }: Applying,
): Promise<Applied> {
  const sent = outcomes.filter(isToDo)
  const done = new Map<string, Outcome>()
  const all = () => outcomes.map((outcome) => done.get(outcome.id) ?? outcome)
  const onDone = (some: readonly Outcome[]) => {
    for (const outcome of some) done.set(outcome.id, outcome)
    onProgress(`Applied ${done.size} of ${sent.length}…`)
  }
  try {
    await apply(sent, mode, { write, onDone })
    return { error: null, refused: noneRefused, applied: all() }
  } catch (error) {
    if (done.size === 0) return { error, refused: refusedOf(error, sent), applied: null }
    // Earlier requests are applied: the rest can be tried again.
    return { error, refused: noneRefused, applied: all() }
  }
}

function refusedOf(error: unknown, sent: readonly Outcome[]): ReadonlyMap<string, string> {
  const faults = refusedAt(error)
  return new Map([...faults].map(([at, text]) => [sent[at]?.id ?? '', text]))
}

type Currency = { currency: string; exponent: number }

const currenciesOf = (subjects: readonly Subject[]): Currency[] => {
  const exponents = new Map(
    subjects.map(({ currency, currency_exponent }) => [currency, currency_exponent]),
  )
  return [...exponents].map(([currency, exponent]) => ({ currency, exponent })).sort()
}

/** The campaigns that were changed, and the change that takes it back. */
export function undoneBy({ change, outcomes }: Extract<Step, { name: 'done' }>) {
  const applied = outcomes.filter(({ after, problem }) => after !== null && problem === null)
  const undo = undoOf(change, new Map(applied.map(({ id, before }) => [id, before])))
  return undo && applied.length > 0 ? { undo, ids: applied.map(({ id }) => id) } : null
}

export type Sum = {
  currency: string
  exponent: number
  count: number
  before: number
  after: number
}

/** By currency: what those that change cost before and after, in minor units. */
export function sumsOf(change: BulkChange, outcomes: readonly Outcome[]): Sum[] {
  const aspect = aspectOf(change)
  const field = aspect === 'lifetime_budget' ? 'lifetime_budget_minor' : 'daily_budget_minor'
  const sums = new Map<string, Sum>()
  for (const { before, after, problem } of outcomes) {
    if (!after || problem) continue
    const { currency, currency_exponent: exponent } = before
    const sum = sums.get(currency) ?? { currency, exponent, count: 0, before: 0, after: 0 }
    sum.count += 1
    sum.before += before[field] ?? 0
    sum.after += after[field] ?? 0
    sums.set(currency, sum)
  }
  return aspect === 'labels' ? [] : [...sums.values()].sort((a, b) => b.count - a.count)
}
