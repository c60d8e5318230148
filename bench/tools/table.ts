import { cpus } from 'node:os'
import type { Measured } from './load.ts'

export type Comparison = { what: string; bare: Measured[]; ours: Measured[] }

export type Report = {
  rows: Comparison[]
  /** Median times of the first and of a far page, in milliseconds. */
  pages: { far: number; nearMs: number; farMs: number }
  startMs: { first: number; restart: number }
  memoryMb: { idle: number; loaded: number }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const of = (runs: Measured[], figure: keyof Measured) => median(runs.map((run) => run[figure]))

/** The median of the ratios of neighbouring runs, which ran under the same conditions. */
const ratioOf = ({ bare, ours }: Comparison) =>
  median(ours.map((run, at) => run.perSecond / (bare[at]?.perSecond ?? Number.NaN)))

export const comparisonLines = (rows: Comparison[]): string[] => [
  '| what | bare /s | Flightdeck /s | ratio | p50 ms | p99 ms | faults |',
  '|---|---:|---:|---:|---:|---:|---:|',
  ...rows.map(rowText),
]

export const factLines = (facts: readonly (readonly [string, string])[]): string[] => [
  '| what | measured |',
  '|---|---:|',
  ...facts.map(([what, measured]) => `| ${what} | ${measured} |`),
]

export function printReport({ rows, pages, startMs, memoryMb }: Report): void {
  const lines = [
    `${cpus().length} cores, Node ${process.versions.node}, 32 connections`,
    '',
    ...comparisonLines(rows),
    '',
    ...factLines([
      [
        `page 1 · page ${pages.far} of one organization, p50`,
        `${ms(pages.nearMs)} · ${ms(pages.farMs)} (${(pages.farMs / pages.nearMs).toFixed(2)} ×)`,
      ],
      [
        'first start · restart, to /readyz',
        `${Math.round(startMs.first)} ms · ${Math.round(startMs.restart)} ms`,
      ],
      ['memory of the process, idle · under load', `${memoryMb.idle} MB · ${memoryMb.loaded} MB`],
    ]),
  ]
  console.log(lines.join('\n'))
}

const ms = (value: number) => `${value.toFixed(2)} ms`

function rowText(row: Comparison): string {
  const { what, bare, ours } = row
  const faults = [...bare, ...ours].reduce((sum, run) => sum + run.faults, 0)
  const cells = [
    what,
    of(bare, 'perSecond').toFixed(0),
    of(ours, 'perSecond').toFixed(0),
    ratioOf(row).toFixed(2),
    of(ours, 'p50').toFixed(2),
    of(ours, 'p99').toFixed(2),
    String(faults),
  ]
  return `| ${cells.join(' | ')} |`
}
