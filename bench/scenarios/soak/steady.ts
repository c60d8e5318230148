/** Does the service hold the rate, and is it at the end as it was in its fifth minute? */

import { median } from '../../tools/table.ts'
import { bloatOf, type Table } from './tables.ts'

/** A reading of every few seconds, under load. */
export type State = {
  minute: number
  /** Requests served so far, refusals meant by the load included. */
  served: number
  /** In MB, without the young generation. */
  memory: number
  descriptors: number
  connections: number
  /** Seconds since which the oldest work has been due. */
  oldestDue: number
}

export type Run = {
  minutes: number
  perSecond: number
  states: readonly State[]
  /** After the fifth minute and at the end; none in a shorter run. */
  tables: { fifth: readonly Table[]; last: readonly Table[] } | null
}

export const comparedMinute = 5

/** A short run, as of `--quick`, is not judged by its speed. */
export const isShort = (minutes: number): boolean => minutes <= comparedMinute

/** Requests that are on their way when a minute ends count in the next. */
const leastShare = 0.98
const mostMemory = 1.1
const mostBloat = 1.25
/** Event streams begin and end all the time. */
const moreDescriptors = 3
const moreSeconds = 5

type Verdict = { facts: (readonly [string, string])[]; broken: string[] }

export function steadyVerdict(run: Run): Verdict {
  const parts = [rateVerdict(run), ...(run.tables ? [statesVerdict(run), bloatVerdict(run)] : [])]
  return {
    facts: parts.flatMap(({ facts }) => facts),
    broken: parts.flatMap(({ broken }) => broken),
  }
}

/** The slowest whole minute; of a run that has none, its average. */
function rateVerdict({ states, perSecond, minutes }: Run): Verdict {
  const rates = ratesOf(states)
  const slowest = Math.min(...rates)
  const average = rateBetween(states[0], states.at(-1))
  const figures = `${slowest.toFixed(1)}/s · ${average.toFixed(1)}/s`
  const isHeld = isShort(minutes) || slowest >= perSecond * leastShare
  return {
    facts: [[`requests served, slowest minute · average (${perSecond}/s wanted)`, figures]],
    broken: isHeld ? [] : [`A minute had ${slowest.toFixed(1)} requests a second.`],
  }
}

function ratesOf(states: readonly State[]): number[] {
  const begins = [...Map.groupBy(states, minuteOf)].map(([, [first]]) => first)
  const rates = begins.slice(1).map((end, at) => rateBetween(begins[at], end))
  return rates.length > 0 ? rates : [rateBetween(states[0], states.at(-1))]
}

function rateBetween(begin: State | undefined, end: State | undefined): number {
  if (!begin || !end) return 0
  return (end.served - begin.served) / (end.minute - begin.minute) / 60
}

const minuteOf = ({ minute }: State) => Math.floor(minute)

/** Medians of the fifth minute and of the last one. */
function statesVerdict({ states, minutes }: Run): Verdict {
  const bounds = [
    { of: 'memory', name: 'stable memory', unit: ' MB', bound: (mb: number) => mb * mostMemory },
    { of: 'descriptors', name: 'descriptors', unit: '', bound: plus(moreDescriptors) },
    { of: 'connections', name: 'database connections', unit: '', bound: plus(0) },
    { of: 'oldestDue', name: 'age of the oldest due work', unit: ' s', bound: plus(moreSeconds) },
  ] as const
  const verdicts = bounds.map(({ of, name, unit, bound }): Verdict => {
    const during = (begin: number) =>
      median(states.filter(({ minute }) => minute >= begin && minute < begin + 1).map((s) => s[of]))
    const [before, after] = [during(comparedMinute - 1), during(minutes - 1)]
    const text = (value: number) => `${value.toFixed(1).replace('.0', '')}${unit}`
    const most = bound(before)
    return {
      facts: [
        [
          `${name}, fifth minute · last (at most ${text(most)})`,
          `${text(before)} · ${text(after)}`,
        ],
      ],
      broken: after <= most ? [] : [`The ${name} rose from ${text(before)} to ${text(after)}.`],
    }
  })
  return {
    facts: verdicts.flatMap(({ facts }) => facts),
    broken: verdicts.flatMap(({ broken }) => broken),
  }
}

const plus = (more: number) => (value: number) => value + more

function bloatVerdict({ tables }: Run): Verdict {
  const { fifth = [], last = [] } = tables ?? {}
  const known = new Map(fifth.map((table) => [table.name, table]))
  const bloated = last
    .flatMap((table) => {
      const before = known.get(table.name)
      return before ? [{ name: table.name, times: bloatOf(before, table) }] : []
    })
    .toSorted((one, other) => other.times - one.times)
  const [most] = bloated
  const size = (all: readonly Table[]) => sum(all.map(({ bytes }) => bytes)) / 1024 / 1024
  const dead = (all: readonly Table[]) =>
    (100 * sum(all.map((table) => table.dead))) / sum(all.map(({ live, dead }) => live + dead))
  return {
    facts: [
      ['tables, fifth minute · end', `${size(fifth).toFixed(0)} MB · ${size(last).toFixed(0)} MB`],
      ['dead rows of all', `${dead(fifth).toFixed(1)} % · ${dead(last).toFixed(1)} %`],
      [
        `most bloated table, for its rows (at most ${mostBloat} ×)`,
        most ? `${most.name}, ${most.times.toFixed(2)} ×` : '–',
      ],
    ],
    broken: bloated
      .filter(({ times }) => times > mostBloat)
      .map(({ name, times }) => `${name} takes ${times.toFixed(2)} × what its rows explain.`),
  }
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)
