import type { Row } from '../../database/tables/tenant-tables.ts'
import type { WriteContext } from '../../kernel/context.ts'
import { findOne, rowsOf } from '../../kernel/rows.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { invalidReference } from '../../problems/problem.ts'
import {
  type Amount,
  exponentOf,
  moneyIn,
  readMoney,
  toMajor,
  unsupportedCurrency,
} from '../../values/money.ts'
import { isTimeZone, unknownTimeZone } from '../../values/times.ts'
import { type ClientChoice, chosenClient } from '../clients/named.ts'
import type { ProfileChanges } from './schema.ts'
import { platformFaults } from './simulated.ts'

/** The columns that clients control. */
export type NormalizedProfile = Omit<
  Row<'profiles'>,
  | 'organization_id'
  | 'id'
  | 'version'
  | 'created_at'
  | 'updated_at'
  | 'created_by'
  | 'updated_by'
  | 'metadata'
  | 'spent_month'
  | 'spent_minor'
  | 'connector_state'
> & { metadata: Record<string, string> }

/** Normalizes a body to row fields, with every fault. */
export async function normalize(
  ctx: WriteContext,
  changes: ProfileChanges,
  before?: Row<'profile_details'>,
): Promise<{ normalized: NormalizedProfile; client: ClientChoice; faults: Fault[] }> {
  const daily = normalizeCap(changes, before, 'daily_budget_cap')
  const monthly = normalizeCap(changes, before, 'monthly_spend_cap')
  const client = await chosenClient(ctx, changes, before)
  const caps = { daily: daily.minor, monthly: monthly.minor }
  const normalized = { ...withDefaults(changes, caps), client_id: client.client_id }
  const isOtherProxy = normalized.proxy_id !== (before?.proxy_id ?? null)
  return {
    normalized,
    client,
    faults: [
      ...(before ? [] : await platformFaults(ctx, normalized.platform)),
      ...client.faults,
      ...currencyFaults(normalized),
      ...daily.faults,
      ...(daily.faults.length > 0 ? monthly.faults.filter(isOfAmount) : monthly.faults),
      ...timeZoneFaults(normalized),
      ...(isOtherProxy ? await proxyFaults(ctx, normalized) : []),
    ],
  }
}

/** A currency that both caps miss is missing once. */
const isOfAmount = ({ pointer }: Fault): boolean => pointer !== '/currency'

type Caps = { daily: number | null; monthly: number | null }

const withDefaults = (
  changes: ProfileChanges,
  { daily, monthly }: Caps,
): Omit<NormalizedProfile, 'client_id'> => ({
  name: changes.name ?? '',
  platform: changes.platform ?? 'other',
  account_ref: changes.account_ref ?? null,
  currency: changes.currency ?? null,
  time_zone: changes.time_zone ?? 'UTC',
  country: changes.country ?? null,
  proxy_id: changes.proxy_id ?? null,
  status: changes.status ?? 'active',
  credential_ref: changes.credential_ref ?? null,
  daily_budget_cap_minor: daily,
  monthly_spend_cap_minor: monthly,
  external_id: changes.external_id ?? null,
  labels: changes.labels ?? [],
  metadata: changes.metadata ?? {},
  notes: changes.notes ?? null,
})

function currencyFaults({ currency: given }: NormalizedProfile): Fault[] {
  if (given === null || exponentOf(given) !== undefined) return []
  return [unsupportedCurrency('/currency', given)]
}

type CapName = 'daily_budget_cap' | 'monthly_spend_cap'

/** A cap is in the profile's currency, so it requires one. */
function normalizeCap(
  changes: ProfileChanges,
  before: Row<'profiles'> | undefined,
  name: CapName,
): { minor: number | null; faults: Fault[] } {
  const cap = amountOf(changes, before, name)
  if (cap === null) return { minor: null, faults: [] }
  const message = `is required because ${name} is in it`
  const isMissing = (changes.currency ?? null) === null
  const missing = isMissing ? [fault('/currency', 'required', message)] : []
  if ('fault' in cap) return { minor: null, faults: [...missing, cap.fault] }
  return { minor: cap.minor, faults: missing }
}

/** A stored cap stays in minor units; in another currency it is the same number. */
function amountOf(
  changes: ProfileChanges,
  before: Row<'profiles'> | undefined,
  name: CapName,
): Amount | null {
  const pointer = `/${name}`
  const { [name]: sent, currency } = changes
  if (sent !== undefined) return sent === null ? null : readMoney(sent, currency ?? '', pointer)
  const minor = before?.[`${name}_minor`] ?? null
  if (!before || minor === null) return null
  return moneyIn(currency ?? '', { minor, exponent: exponentIn(before) }, pointer)
}

const timeZoneFaults = ({ time_zone: given }: NormalizedProfile): Fault[] =>
  isTimeZone(given) ? [] : [unknownTimeZone('/time_zone', given)]

async function proxyFaults(ctx: WriteContext, { proxy_id }: NormalizedProfile): Promise<Fault[]> {
  if (proxy_id === null || (await findOne(ctx, 'proxies', proxy_id))) return []
  return [invalidReference('/proxy_id', proxy_id)]
}

/** Immutable fields: the platform always, the currency once a launched campaign uses it. */
export async function fixedFaults(
  ctx: WriteContext,
  row: Row<'profiles'>,
  normalized: NormalizedProfile,
): Promise<Fault[]> {
  const faults: Fault[] = []
  if (normalized.platform !== row.platform) {
    faults.push(fault('/platform', 'immutable_field', 'cannot change once the profile exists'))
  }
  if (
    normalized.currency !== row.currency &&
    (await hasLaunchedIn(ctx, row, normalized.currency))
  ) {
    faults.push(fault('/currency', 'immutable_field', 'cannot change: launched campaigns use it'))
  }
  return faults
}

/** A profile without a currency may still get the one its launched campaigns share. */
async function hasLaunchedIn(
  ctx: WriteContext,
  row: Row<'profiles'>,
  currency: string | null,
): Promise<boolean> {
  const launched = rowsOf(ctx, 'campaigns')
    .where('profile_id', '=', row.id)
    .where('launched_at', 'is not', null)
  const inTheWay = row.currency === null ? launched.where('currency', '<>', currency) : launched
  return (await inTheWay.select('id').limit(1).executeTakeFirst()) !== undefined
}

/** A cap in major units, as the API shows it. */
export const capIn = (row: Row<'profiles'>, minor: number | null) => toMajor(minor, exponentIn(row))

const exponentIn = ({ currency }: Row<'profiles'>) => exponentOf(currency ?? '') ?? 2

/** The columns that clients control: the base that PUT and PATCH merge into. */
export const normalizedFromRow = (row: Row<'profiles'>): NormalizedProfile => ({
  name: row.name,
  client_id: row.client_id,
  platform: row.platform,
  account_ref: row.account_ref,
  currency: row.currency,
  time_zone: row.time_zone,
  country: row.country,
  proxy_id: row.proxy_id,
  status: row.status,
  credential_ref: row.credential_ref,
  daily_budget_cap_minor: row.daily_budget_cap_minor,
  monthly_spend_cap_minor: row.monthly_spend_cap_minor,
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
})
