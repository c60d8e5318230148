import { cpus } from 'node:os'
import { factLines } from '../../tools/table.ts'
import { type Held, heldKinds, type Memory } from '../../tools/vitals.ts'
import type { Outcome } from './load.ts'
import { mediansByMinute, type Sample, slopeOf } from './slope.ts'
import { isShort, type Run, steadyVerdict } from './steady.ts'

export type Reading = { minute: number; memory: Memory }

export type Soaked = Run & {
  readings: readonly Reading[]
  outcome: Outcome
  before: Held
  after: Held
}

type Report = { lines: string[]; broken: string[] }

const boundMbPerMinute = 0.3
/** For a run of thirty minutes or more; shorter runs warm up for a third of their time. */
const longestWarmUp = 10
const fullLength = 20
/** In a shorter run warm-up cannot be distinguished from a leak. */
const shortestLength = 10
/** Change sets that meet another change to one of their campaigns are stale, and not applied. */
const leastShare = { reports: 0.99, changeSets: 0.8 }

export function reportOf(soaked: Soaked): Report {
  const verdicts = [memoryVerdict, steadyVerdict, handlesVerdict, workVerdict, answersVerdict].map(
    (judge) => judge(soaked),
  )
  const lines = [
    `${cpus().length} cores, Node ${process.versions.node}, ${soaked.minutes} minutes`,
    '',
    ...minuteLines(soaked.readings),
    '',
    ...factLines(verdicts.flatMap(({ facts }) => facts)),
  ]
  return { lines, broken: verdicts.flatMap(({ broken }) => broken) }
}

type Facts = (readonly [string, string])[]
type Verdict = { facts: Facts; broken: string[] }

function memoryVerdict({ minutes, readings }: Soaked): Verdict {
  const warmUp = Math.min(longestWarmUp, minutes / 3)
  const warm = readings.filter(({ minute }) => minute >= warmUp)
  const slope = (of: keyof Memory) => slopeOf(mediansByMinute(samplesOf(warm, of, warmUp)))
  const growth = slope('stable')
  const bound = boundFor(minutes - warmUp)
  const words = bound === null ? 'too short a run to judge it' : `at most ${bound.toFixed(2)} MB`
  const others = (['resident', 'heap', 'external'] as const).map((of) => mb(slope(of)))
  const facts: Facts = [
    [`stable memory after ${warmUp.toFixed(1)} minutes: growth a minute (${words})`, mb(growth)],
    ['the same of resident · heap · external memory', others.join(' · ')],
  ]
  const isBroken = bound !== null && growth > bound
  return { facts, broken: isBroken ? [`Memory grows by ${mb(growth)} a minute.`] : [] }
}

/** The error of a slope falls with the power 1.5 of the time over which it is taken. */
function boundFor(warmMinutes: number): number | null {
  if (warmMinutes < shortestLength) return null
  return boundMbPerMinute * Math.max(1, fullLength / warmMinutes) ** 1.5
}

const samplesOf = (readings: readonly Reading[], of: keyof Memory, from: number): Sample[] =>
  readings.map(({ minute, memory }) => ({ minute: minute - from, value: memory[of] }))

function handlesVerdict({ before, after }: Soaked): Verdict {
  const facts: Facts = heldKinds.map((kind) => [
    `${kind} at rest before · after (at most as many)`,
    `${before[kind]} · ${after[kind]}`,
  ])
  const broken = heldKinds.filter((kind) => after[kind] > before[kind])
  return { facts, broken: broken.map((kind) => `${after[kind] - before[kind]} ${kind} were left.`) }
}

function workVerdict({ outcome: { reports, changeSets }, minutes }: Soaked): Verdict {
  const shares = [
    { name: 'reports stored', least: leastShare.reports, ...reports },
    { name: 'change sets applied', least: leastShare.changeSets, ...changeSets },
  ]
  return {
    facts: shares.map(({ name, sent, done }) => [`${name}, of those sent`, `${done} of ${sent}`]),
    broken: shares
      .filter(({ sent, done, least }) => !(done > 0 && (isShort(minutes) || done >= sent * least)))
      .map(({ name, sent, done }) => `Only ${done} of ${sent} ${name}.`),
  }
}

/** Some requests are meant to be refused, and a busy machine may answer 503. */
function answersVerdict({ outcome: { answers } }: Soaked): Verdict {
  const count = (isWanted: (status: number) => boolean) =>
    [...answers].reduce((sum, [status, times]) => sum + (isWanted(status) ? times : 0), 0)
  const done = count((status) => status >= 200 && status < 300)
  const refused = count((status) => status >= 400 && status < 500)
  const busy = count((status) => status === 503)
  const faults = count((status) => status === 0 || (status >= 500 && status !== 503))
  const facts: Facts = [
    ['answers 2xx · 4xx · 503', `${done} · ${refused} · ${busy}`],
    ['other answers of 5xx, and lost connections (none)', String(faults)],
  ]
  return { facts, broken: faults > 0 ? [`${faults} requests had no answer, or 5xx.`] : [] }
}

function minuteLines(readings: readonly Reading[]): string[] {
  const columns = (['stable', 'resident', 'heap', 'external'] as const).map((of) =>
    mediansByMinute(samplesOf(readings, of, 0)),
  )
  const rows = (columns[0] ?? []).map(({ minute }, at) => {
    const cells = columns.map((column) => (column[at]?.value ?? Number.NaN).toFixed(1))
    return `| ${minute} | ${cells.join(' | ')} |`
  })
  return [
    '| minute, medians | stable MB | resident MB | heap MB | external MB |',
    '|---|---:|---:|---:|---:|',
    ...rows,
  ]
}

/** A slope needs two minutes of samples. */
const mb = (value: number) => (Number.isNaN(value) ? '–' : `${value.toFixed(2)} MB`)
