import { type Fault, fault } from '../../../problems/fault.ts'
import { invalidReference } from '../../../problems/problem.ts'
import { type Amount, type MoneyInput, readMoney, readQuantity } from '../../../values/money.ts'
import type { ResultRow } from '../schema.ts'
import type { Figures } from './decide-day.ts'

/** Facts of the campaign on which reading a row depends. */
export type CampaignFacts = {
  readonly id: string
  readonly external_id: string | null
  readonly currency: string
  readonly profile_id: string
  readonly labels: readonly string[]
  readonly time_zone: string
}

export type FindCampaign = (row: ResultRow) => CampaignFacts | undefined

/** The first day that there can be results of. */
const firstDate = '2000-01-01'

const decimalsOfConversions = 6

type RowPlace = { readonly index: number; readonly today: (timeZone: string) => string }

export type ReadRow =
  | { readonly campaign: CampaignFacts; readonly date: string; readonly figures: Figures }
  | { readonly faults: Fault[] }

/** A row with its campaign, or everything that is wrong with it. */
export function readRow(row: ResultRow, find: FindCampaign, { index, today }: RowPlace): ReadRow {
  const at = (field: string) => `/rows/${index}/${field}`
  const campaign = find(row)
  const faults = [...referenceFaults(row, campaign, at), ...countFaults(row, at)]
  const { figures, faults: moneyFaults } = figuresOf(row, campaign?.currency ?? '', at)
  faults.push(...moneyFaults)
  if (campaign) faults.push(...dateFaults(row.date, today(campaign.time_zone), at('date')))
  return campaign && faults.length === 0 ? { campaign, date: row.date, figures } : { faults }
}

type At = (field: string) => string

function referenceFaults(row: ResultRow, campaign: CampaignFacts | undefined, at: At): Fault[] {
  const { campaign_id, external_id } = row
  if (campaign_id === undefined && external_id === undefined) {
    return [fault(at('campaign_id'), 'required', 'or external_id is required')]
  }
  const field = campaign_id === undefined ? 'external_id' : 'campaign_id'
  if (!campaign) return [invalidReference(at(field), row[field])]
  const isOther = external_id !== undefined && external_id !== campaign.external_id
  return isOther ? [invalidReference(at('external_id'), external_id)] : []
}

function dateFaults(date: string, today: string, pointer: string): Fault[] {
  if (date > today) {
    const message = `is after today, which is ${today} in the time zone of the campaign`
    return [fault(pointer, 'date_in_future', message, { given: date, limit: today })]
  }
  if (date >= firstDate) return []
  const message = `must be ${firstDate} or later`
  return [fault(pointer, 'out_of_range', message, { given: date, limit: firstDate })]
}

function countFaults({ impressions, clicks }: ResultRow, at: At): Fault[] {
  if (typeof impressions !== 'number' || typeof clicks !== 'number') return []
  if (clicks <= impressions) return []
  const more = { given: clicks, limit: impressions }
  return [fault(at('clicks'), 'out_of_range', 'must be at most impressions', more)]
}

type Amounts = 'spend' | 'adjustment' | 'conversions' | 'conversion_value'

function figuresOf(row: ResultRow, currency: string, at: At) {
  const faults: Fault[] = []
  const read: Readonly<Record<Amounts, (given: MoneyInput, pointer: string) => Amount>> = {
    spend: (given, pointer) => readMoney(given, currency, pointer, 'not negative'),
    adjustment: (given, pointer) => readMoney(given, currency, pointer, 'any'),
    conversions: (given, pointer) => readQuantity(given, decimalsOfConversions, pointer),
    conversion_value: (given, pointer) => readMoney(given, currency, pointer, 'not negative'),
  }
  function amount(field: Amounts): number | null {
    const given: MoneyInput | null | undefined = row[field]
    if (given === undefined || given === null) return null
    const result = read[field](given, at(field))
    if ('minor' in result) return result.minor
    faults.push(result.fault)
    return null
  }
  // The schema takes null as an amount.
  if (row.spend === null) faults.push(fault(at('spend'), 'required', 'is required'))
  const { impressions = null, clicks = null } = row
  const figures: Figures = {
    spend_minor: amount('spend') ?? 0,
    adjustment_minor: amount('adjustment') ?? 0,
    impressions,
    clicks,
    conversions_millionths: amount('conversions'),
    conversion_value_minor: amount('conversion_value'),
  }
  return { figures, faults }
}
