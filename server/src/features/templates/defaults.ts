import { isDeepStrictEqual } from 'node:util'
import type { TemplateDefaults } from '../../database/tables/json-columns.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import type { WriteContext } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { inThePast } from '../../problems/problem.ts'
import { isId } from '../../values/ids.ts'
import {
  type CampaignDraft,
  draftFromRow,
  normalizePartial,
  type ProfileFacts,
} from '../campaigns/draft/normalize.ts'
import { profileIds } from '../profiles/resource.ts'

/** Normalizes defaults for storage: amounts, times and names in the form replies use. */
export async function normalizeDefaults(
  ctx: WriteContext,
  given: CampaignDraft,
): Promise<{ defaults: TemplateDefaults; faults: Fault[] }> {
  const { minimumBudgets } = ctx.services.config
  const profile = await findProfile(ctx, given.profile_id)
  const { part, faults } = normalizePartial(given, { profile, minimumBudgets })
  if (part.end_at && part.end_at <= ctx.now) faults.push(inThePast('/end_at'))
  const within = faults.map((each) => ({ ...each, pointer: `/defaults${each.pointer}` }))
  return { defaults: part, faults: within }
}

async function findProfile(ctx: WriteContext, id: string | undefined) {
  if (id === undefined || !isId(profileIds, id)) return undefined
  const profile = await rowsOf(ctx, 'profiles')
    .where('id', '=', id)
    .where('status', '<>', 'archived')
    .select(['id', 'status', 'currency', 'time_zone'])
    .executeTakeFirst()
  return profile && ({ ...profile, proxy_status: null } satisfies ProfileFacts)
}

/** Only fields with a default can be locked. */
export function lockFaults(locked: readonly string[], allowed: readonly string[]): Fault[] {
  return locked.flatMap((given, at) => {
    if (allowed.includes(given)) return []
    const message = 'is not among the defaults'
    return [fault(`/locked_fields/${at}`, 'invalid_enum_value', message, { allowed, given })]
  })
}

/** The fields that a template takes from a campaign: not its name, dates or external id. */
export function defaultsFrom(row: Row<'campaign_details'>): TemplateDefaults {
  const { name: _, external_id: __, start_at: ___, end_at: ____, ...defaults } = draftFromRow(row)
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => !isEmpty(value)))
}

const isEmpty = (value: unknown) =>
  value === null || isDeepStrictEqual(value, []) || isDeepStrictEqual(value, {})
