import { seesWholeClient } from '../../database/scope/seen.ts'
import type { ReportFilter, ReportPeriod, ReportTexts } from '../../database/tables/json-columns.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import type { Context } from '../../kernel/context.ts'
import { findOne } from '../../kernel/rows.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { invalidReference } from '../../problems/problem.ts'
import { exponentOf, unsupportedCurrency } from '../../values/money.ts'
import { periodFaults } from '../results/summary/fixed-period.ts'
import { type ReportInput, sectionKinds } from './schema.ts'

/** The columns that clients control, without the logo. */
export type NormalizedReport = Pick<
  Row<'reports'>,
  'name' | 'client_id' | 'client_ids' | 'compare' | 'sections'
> & { filter: ReportFilter | null; period: ReportPeriod; texts: ReportTexts }

const noTexts: ReportTexts = { headline: null, why: null, next: null, notes: null }

type Draft = Partial<Omit<ReportInput, 'logo'>>

export async function normalize(
  ctx: Context,
  draft: Draft,
): Promise<{ normalized: NormalizedReport; faults: Fault[] }> {
  const { client_id = null, filter = null, period = 'last_month' } = draft
  const normalized = {
    name: draft.name ?? '',
    client_id,
    filter,
    client_ids: client_id === null ? (filter?.client_id ?? []) : [client_id],
    period,
    compare: draft.compare ?? null,
    sections: draft.sections ?? [...sectionKinds],
    texts: { ...noTexts, ...draft.texts },
  }
  const faults = [
    ...(client_id !== null && filter !== null ? [bothSubjects] : []),
    ...periodFaults(period, '/period'),
    ...currencyFaults(filter),
    ...(await referenceFaults(ctx, normalized)),
  ]
  return { normalized, faults }
}

const bothSubjects = fault(
  '/filter',
  'duplicate_item',
  'cannot be set together with client_id: send null for one of them',
)

const currencyFaults = (filter: ReportFilter | null): Fault[] =>
  (filter?.currency ?? []).flatMap((code, at) =>
    exponentOf(code) === undefined ? unsupportedCurrency(`/filter/currency/${at}`, code) : [],
  )

/** Clients are named by those who see all of theirs. */
async function referenceFaults(
  ctx: Context,
  { client_id, filter }: Pick<NormalizedReport, 'client_id' | 'filter'>,
): Promise<Fault[]> {
  const clients = [
    ...(client_id === null ? [] : [{ pointer: '/client_id', id: client_id }]),
    ...placesIn('/filter/client_id', filter?.client_id),
  ]
  const profiles = placesIn('/filter/profile_id', filter?.profile_id)
  const missing = await Promise.all([
    ...clients.map((each) => faultUnless(each, () => isClientSeen(ctx, each.id))),
    ...profiles.map((each) => faultUnless(each, () => isThere(ctx, 'profiles', each.id))),
  ])
  return missing.flat()
}

type Place = { pointer: string; id: string }

const placesIn = (pointer: string, ids: readonly string[] = []): Place[] =>
  ids.map((id, at) => ({ pointer: `${pointer}/${at}`, id }))

const faultUnless = async ({ pointer, id }: Place, isSeen: () => Promise<boolean>) =>
  (await isSeen()) ? [] : [invalidReference(pointer, id)]

const isThere = async (ctx: Context, table: 'clients' | 'profiles', id: string) =>
  (await findOne(ctx, table, id)) !== undefined

const isClientSeen = async (ctx: Context, id: string): Promise<boolean> =>
  (await isThere(ctx, 'clients', id)) && seesWholeClient(ctx, id)
