import {
  type Decimal,
  isDateFormat,
  type Network,
  networks,
  type Report,
} from '@flightdeckhq/sdk/results-file'
import type { Command } from 'commander'
import { type CredentialOptions, clientWith } from '../account/credential.ts'
import { UsageError } from '../faults.ts'
import { readAll } from '../read-all.ts'
import { pairsIn } from './columns.ts'

/** As commander reads them. */
export type ImportOptions = CredentialOptions & {
  source: string
  preset?: string
  map?: string
  headerLine?: string
  skipTotals?: boolean
  dateFormat?: string
  decimal?: string
  rejected?: string
  reportedAt?: string
  completeThrough?: string
  final?: boolean
  restate?: boolean
  additional?: boolean
  dryRun?: boolean
  json?: boolean
}

export type ImportSettings = Awaited<ReturnType<typeof settingsIn>>

/** The options of `results import`; throws with all that are wrong. */
export const settingsIn = (command: Command, options: ImportOptions) =>
  readAll({
    service: () => clientWith(command, options),
    pairs: () => pairsIn(options.map),
    network: () => networkIn(options),
    headerLine: () => headerLineIn(options),
    dateFormat: () => dateFormatIn(options),
    decimal: () => decimalIn(options),
    report: (): Report => ({
      source: options.source,
      reported_at: timeIn(options),
      complete_through: completeThrough(options),
      final: options.final === true,
      restate: options.restate === true,
      additional: options.additional === true,
    }),
    skipTotals: () => options.skipTotals === true || options.preset !== undefined,
    rejected: () => options.rejected,
    dryRun: () => options.dryRun === true,
  })

function networkIn({ preset }: ImportOptions): Network | undefined {
  const network = networks.find((each) => each === preset)
  if (preset === undefined || network) return network
  throw new UsageError(`--preset takes ${networks.join(', ')}, not "${preset}".`)
}

function headerLineIn({ headerLine: text }: ImportOptions): number | undefined {
  if (text === undefined || /^[1-9]\d{0,3}$/.test(text)) return text ? Number(text) : undefined
  throw new UsageError(`--header-line takes the number of a line, such as 3, not "${text}".`)
}

function dateFormatIn({ dateFormat: text = null }: { dateFormat?: string | null }): string | null {
  if (text === null || isDateFormat(text)) return text
  throw new UsageError(`--date-format takes YYYY, MM and DD in any order, not "${text}".`)
}

function decimalIn({ decimal }: ImportOptions): Decimal | null {
  if (decimal === undefined || decimal === '.' || decimal === ',') return decimal ?? null
  throw new UsageError(`--decimal takes "." or ",", not "${decimal}".`)
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

function timeIn({ reportedAt: text = new Date().toISOString() }: ImportOptions): string {
  if (time.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString()
  throw new UsageError(`--reported-at takes a time such as 2026-11-21T09:30:00Z, not "${text}".`)
}

function completeThrough({ completeThrough: text }: ImportOptions): string | null {
  if (text === undefined || isDay(text)) return text ?? null
  throw new UsageError(`--complete-through takes a day such as 2026-11-20, not "${text}".`)
}

/** Whether the calendar has it. */
function isDay(text: string): boolean {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return (
    parsed !== undefined && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
  )
}
