import type { Row } from '../../database/tenant-tables.ts'
import type { WriteContext } from '../../kernel/context.ts'
import { findOne, rowsOf } from '../../kernel/rows.ts'
import { type Fault, fault, invalidReference } from '../../problems/problem.ts'
import { exponentOf, readMoney, toMajor, unsupportedCurrency } from '../../values/money.ts'
import { isTimeZone, unknownTimeZone } from '../../values/times.ts'
import type { ProfileChanges } from './schema.ts'

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
> & { metadata: Record<string, string> }

/** Normalizes a body to row fields, with every fault. */
export async function normalize(
  ctx: WriteContext,
  changes: ProfileChanges,
  before?: Row<'profiles'>,
): Promise<{ settled: NormalizedProfile; faults: Fault[] }> {
  const cap = normalizeCap(changes)
  const settled = {
    name: changes.name ?? '',
    platform: changes.platform ?? 'other',
    account_ref: changes.account_ref ?? null,
    currency: changes.currency ?? null,
    time_zone: changes.time_zone ?? 'UTC',
    country: changes.country ?? null,
    proxy_id: changes.proxy_id ?? null,
    status: changes.status ?? 'active',
    credential_ref: changes.credential_ref ?? null,
    daily_budget_cap_minor: cap.minor,
    external_id: changes.external_id ?? null,
    labels: changes.labels ?? [],
    metadata: changes.metadata ?? {},
    notes: changes.notes ?? null,
  }
  const isOtherProxy = settled.proxy_id !== (before?.proxy_id ?? null)
  return {
    settled,
    faults: [
      ...currencyFaults(settled),
      ...cap.faults,
      ...timeZoneFaults(settled),
      ...(isOtherProxy ? await proxyFaults(ctx, settled) : []),
    ],
  }
}

function currencyFaults({ currency: given }: NormalizedProfile): Fault[] {
  if (given === null || exponentOf(given) !== undefined) return []
  return [unsupportedCurrency('/currency', given)]
}

/** A cap is in the profile's currency, so it requires one. */
function normalizeCap(changes: ProfileChanges): { minor: number | null; faults: Fault[] } {
  const { daily_budget_cap: input = null, currency = null } = changes
  if (input === null) return { minor: null, faults: [] }
  const read = readMoney(input, currency ?? '', '/daily_budget_cap')
  const message = 'is required because daily_budget_cap is in it'
  const missing = currency === null ? [fault('/currency', 'required', message)] : []
  if ('fault' in read) return { minor: null, faults: [...missing, read.fault] }
  return { minor: read.minor, faults: missing }
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
  settled: NormalizedProfile,
): Promise<Fault[]> {
  const faults: Fault[] = []
  if (settled.platform !== row.platform) {
    faults.push(fault('/platform', 'immutable_field', 'cannot change once the profile exists'))
  }
  if (settled.currency !== row.currency && (await hasLaunchedIn(ctx, row, settled.currency))) {
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

/** In major units, as the API shows it. */
export const capOf = ({ daily_budget_cap_minor: minor, currency }: Row<'profiles'>) =>
  minor === null ? null : toMajor(minor, exponentOf(currency ?? '') ?? 2)

/** A stored row in the form of a body: the base that PUT and PATCH merge into. */
export const normalizedFromRow = (row: Row<'profiles'>): NormalizedProfile & ProfileChanges => ({
  name: row.name,
  platform: row.platform as NormalizedProfile['platform'] & ProfileChanges['platform'],
  account_ref: row.account_ref,
  currency: row.currency,
  time_zone: row.time_zone,
  country: row.country,
  proxy_id: row.proxy_id,
  status: row.status,
  credential_ref: row.credential_ref,
  daily_budget_cap: capOf(row),
  daily_budget_cap_minor: row.daily_budget_cap_minor,
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
})
