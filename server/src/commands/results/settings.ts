import {
  type Decimal,
  isDateFormat,
  type Network,
  networks,
  type Report,
} from '@flightdeckhq/sdk/results-file'
import { isDate, readTime } from '../../values/times.ts'
import { type Given, UsageError } from '../command.ts'
import { readAll } from '../read-all.ts'
import { credentialIn, urlIn } from '../remote.ts'
import { pairsIn } from './columns.ts'

export type ImportSettings = ReturnType<typeof settingsIn>

/** The options of `results import`; throws with all that are wrong. */
export const settingsIn = (given: Given) =>
  readAll({
    url: () => urlIn(given),
    credential: () => credentialIn(given),
    pairs: () => pairsIn(given.option('map')),
    network: () => networkIn(given),
    headerLine: () => headerLineIn(given),
    dateFormat: () => dateFormatIn(given),
    decimal: () => decimalIn(given),
    report: (): Report => ({
      source: given.text('source'),
      reported_at: timeIn(given),
      complete_through: completeThrough(given),
      final: given.flag('final'),
      restate: given.flag('restate'),
      additional: given.flag('additional'),
    }),
    skipTotals: () => given.flag('skip-totals') || given.option('preset') !== undefined,
    rejected: () => given.option('rejected'),
    dryRun: () => given.flag('dry-run'),
  })

function networkIn({ option }: Given): Network | undefined {
  const text = option('preset')
  const network = networks.find((each) => each === text)
  if (text === undefined || network) return network
  throw new UsageError(`--preset takes ${networks.join(', ')}, not "${text}".`)
}

function headerLineIn({ option }: Given): number | undefined {
  const text = option('header-line')
  if (text === undefined || /^[1-9]\d{0,3}$/.test(text)) return text ? Number(text) : undefined
  throw new UsageError(`--header-line takes the number of a line, such as 3, not "${text}".`)
}

function dateFormatIn({ option }: Given): string | null {
  const text = option('date-format') ?? null
  if (text === null || isDateFormat(text)) return text
  throw new UsageError(`--date-format takes YYYY, MM and DD in any order, not "${text}".`)
}

function decimalIn({ option }: Given): Decimal | null {
  const text = option('decimal')
  if (text === undefined || text === '.' || text === ',') return text ?? null
  throw new UsageError(`--decimal takes "." or ",", not "${text}".`)
}

function timeIn({ option }: Given): string {
  const text = option('reported-at')
  const read = readTime(text ?? new Date().toISOString(), '')
  if ('time' in read) return read.time
  throw new UsageError(`--reported-at takes a time such as 2026-11-21T09:30:00Z, not "${text}".`)
}

function completeThrough({ option }: Given): string | null {
  const text = option('complete-through')
  if (text === undefined || isDate(text)) return text ?? null
  throw new UsageError(`--complete-through takes a day such as 2026-11-20, not "${text}".`)
}
