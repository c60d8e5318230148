import type { Row } from '../../database/tables/tenant-tables.ts'
import { change } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { checkCap } from '../../kernel/quotas.ts'
import {
  checkUnused,
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  remove,
  update,
} from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { checkFaults } from '../../problems/problem.ts'
import { shows } from '../../query/fields.ts'
import { anyOf, commonFilters, markFilters } from '../../query/filters.ts'
import { joinedPageOf, type ListShape, type Page, type Query } from '../../query/list.ts'
import { byWords } from '../../query/search/search.ts'
import { byName } from '../../query/sorting.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { patched } from '../../schema/merge-patch.ts'
import { newId } from '../../values/ids.ts'
import { clientFilters } from '../clients/filter.ts'
import { ensureClient } from '../clients/named.ts'
import { checkDirect } from '../guardrails/direct.ts'
import { storedRules } from '../guardrails/stored.ts'
import { connectionFilters } from './connection-filters.ts'
import { campaignCounts, noCampaigns } from './counts.ts'
import { capIn, fixedFaults, normalize, normalizedFromRow } from './normalize.ts'
import { cap, profileIds } from './resource.ts'
import {
  type CampaignCounts,
  type Profile,
  type ProfileChanges,
  type ProfileInput,
  platforms,
  profileStatuses,
  readOnlyFields,
} from './schema.ts'

export const profileList: ListShape<'profile_details'> = {
  table: 'profile_details',
  resource: 'profiles',
  filters: {
    ...byWords,
    ...clientFilters,
    platform: anyOf('platform', { allowed: platforms }),
    status: anyOf('status', { allowed: profileStatuses }),
    proxy_id: anyOf('proxy_id'),
    ...connectionFilters,
    ...markFilters,
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', byName],
  wide: ['notes', 'labels', 'metadata'],
}

export const listProfiles = (ctx: Context, query: Query): Promise<Page<Profile>> =>
  joinedPageOf(ctx, {
    list: profileList,
    query,
    presentAll: async (rows) => {
      // None are counted if they are not shown.
      const ids = shows(query, 'campaign_counts') ? rows.map(({ id }) => id) : []
      const countsOf = await campaignCounts(ctx, ids)
      return rows.map((row) => toProfile(row, countsOf(row.id)))
    },
  })

export async function getProfile(ctx: Context, id: string): Promise<Profile> {
  const [row, countsOf] = await Promise.all([
    oneOf(ctx, 'profile_details', id),
    campaignCounts(ctx, [id]),
  ])
  return toProfile(row, countsOf(id))
}

export const createProfile = (ctx: Context, body: ProfileInput): Promise<Profile> =>
  change(ctx, 'profile.created', async (ctx) => {
    const { normalized, client: choice, faults } = await normalize(ctx, body)
    checkFaults(ctx, faults)
    await checkCap(ctx, cap)
    const { client, client_id } = await ensureClient(ctx, choice)
    const stored = { ...normalized, client_id, ...nothingYet, ...firstStamps(ctx) }
    const row = { id: newId(profileIds), ...stored }
    insert(ctx, 'profiles', { ...row, metadata: JSON.stringify(row.metadata) })
    const shown = { organization_id: ctx.organization.id, ...row, client }
    const after = toProfile(shown, noCampaigns)
    return { before: null, after }
  })

type Caps = Pick<
  Row<'profiles'>,
  'currency' | 'time_zone' | 'daily_budget_cap_minor' | 'monthly_spend_cap_minor'
>

/**
 * Null is without a cap; caps of two currencies cannot be compared. In another time zone the next
 * month may have begun, or begin sooner.
 */
function isCapRaised(before: Caps, after: Caps): boolean {
  if (before.monthly_spend_cap_minor !== null && before.time_zone !== after.time_zone) return true
  const caps = ['daily_budget_cap_minor', 'monthly_spend_cap_minor'] as const
  return caps.some((name) => {
    const [was, is] = [before[name], after[name]]
    return was !== null && (is === null || is > was || before.currency !== after.currency)
  })
}

/** Columns that only the service writes. */
const nothingYet = { spent_month: null, spent_minor: null, connector_state: null }

export const updateProfile = (ctx: Context, id: string, body: ProfileChanges): Promise<Profile> =>
  inTransaction(ctx, async (ctx) => {
    const profile = await changeProfile(ctx, id, body)
    if (profile.status === 'active') return profile
    // Its campaigns may have been paused with it: count after the change.
    return { ...profile, campaign_counts: (await campaignCounts(ctx, [id]))(id) }
  })

const changeProfile = (ctx: Context, id: string, changes: ProfileChanges): Promise<Profile> =>
  change(ctx, 'profile.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'profile_details', id)
    const before = toProfile(row, (await campaignCounts(ctx, [id]))(id))
    const { body, faults: mergeFaults } = patched(ctx, before, changes)
    const merged = { ...normalizedFromRow(row), ...body }
    const { normalized: asked, client: choice, faults } = await normalize(ctx, merged, row)
    checkFaults(ctx, [
      ...mergeFaults,
      ...faults,
      ...(await readOnlyFaults(ctx, { before, body, readOnly: readOnlyFields })),
      ...(await fixedFaults(ctx, row, asked)),
    ])
    if (!choice.isNew && changedFields(normalizedFromRow(row), asked).length === 0)
      return { before, after: before }
    if (isCapRaised(row, asked)) {
      checkDirect(ctx, await storedRules(ctx), 'raise caps or move their month')
    }
    const { client, client_id } = await ensureClient(ctx, choice)
    const normalized = { ...asked, client_id }
    const stamps = nextStamps(ctx, row)
    update(ctx, 'profiles', {
      id,
      ...normalized,
      metadata: JSON.stringify(normalized.metadata),
      ...stamps,
    })
    return {
      before,
      after: toProfile({ ...row, ...normalized, client, ...stamps }, before.campaign_counts),
    }
  })

export async function deleteProfile(ctx: Context, id: string): Promise<void> {
  await change(ctx, 'profile.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'profile_details', id)
    await checkUnused(ctx, id, { type: 'campaign', table: 'campaigns', column: 'profile_id' })
    remove(ctx, 'profiles', id)
    return { before: toProfile(row, noCampaigns), after: null }
  })
}

const toProfile = (row: Row<'profile_details'>, counts: CampaignCounts): Profile => ({
  id: row.id,
  name: row.name,
  client_id: row.client_id,
  client: row.client,
  platform: row.platform,
  account_ref: row.account_ref,
  currency: row.currency,
  time_zone: row.time_zone,
  country: row.country,
  proxy_id: row.proxy_id,
  status: row.status,
  credential_ref: row.credential_ref,
  daily_budget_cap: capIn(row, row.daily_budget_cap_minor),
  daily_budget_cap_minor: row.daily_budget_cap_minor,
  monthly_spend_cap: capIn(row, row.monthly_spend_cap_minor),
  monthly_spend_cap_minor: row.monthly_spend_cap_minor,
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
  campaign_counts: counts,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
