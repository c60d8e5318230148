import type { Row } from '../../database/tenant-tables.ts'
import { change } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
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
import { anyOf, commonFilters, contains, hasAny } from '../../query/filters.ts'
import { joinedPageOf, type ListShape, type Page, type Query } from '../../query/list.ts'
import { changedFields, changedReadOnly } from '../../schema/changed-fields.ts'
import { newId } from '../../values/ids.ts'
import { campaignCounts, noCampaigns } from './counts.ts'
import {
  capOf,
  fixedFaults,
  type NormalizedProfile,
  normalize,
  normalizedFromRow,
} from './normalize.ts'
import {
  type CampaignCounts,
  type Profile,
  type ProfileChanges,
  type ProfileInput,
  platforms,
  profileStatuses,
  readOnlyFields,
} from './schema.ts'

export const profileList: ListShape<'profiles'> = {
  table: 'profiles',
  filters: {
    q: contains('name'),
    platform: anyOf('platform', platforms),
    status: anyOf('status', profileStatuses),
    proxy_id: anyOf('proxy_id'),
    label: hasAny('labels'),
    external_id: anyOf('external_id'),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', 'name'],
  wide: ['notes', 'labels', 'metadata'],
}

export const listProfiles = (ctx: Context, query: Query): Promise<Page<Profile>> =>
  joinedPageOf(ctx, {
    list: profileList,
    query,
    presentAll: async (rows) => {
      const ids = rows.map(({ id }) => id)
      const countsOf = await campaignCounts(ctx, ids)
      return rows.map((row) => toProfile(row, countsOf(row.id)))
    },
  })

export async function getProfile(ctx: Context, id: string): Promise<Profile> {
  const [row, countsOf] = await Promise.all([oneOf(ctx, 'profiles', id), campaignCounts(ctx, [id])])
  return toProfile(row, countsOf(id))
}

export const createProfile = (ctx: Context, body: ProfileInput): Promise<Profile> =>
  change(ctx, 'profile.created', async (ctx) => {
    const { settled, faults } = await normalize(ctx, body)
    checkFaults(ctx, faults)
    await checkCap(ctx, 'profiles')
    const row = { id: newId('profile'), ...settled, ...firstStamps(ctx) }
    insert(ctx, 'profiles', { ...row, metadata: JSON.stringify(row.metadata) })
    const after = toProfile({ organization_id: ctx.organization.id, ...row }, noCampaigns)
    return { before: null, after }
  })

export const updateProfile = (ctx: Context, id: string, body: ProfileChanges): Promise<Profile> =>
  inTransaction(ctx, async (ctx) => {
    const profile = await changeProfile(ctx, id, body)
    if (profile.status === 'active') return profile
    // Its campaigns may have been paused with it: count after the change.
    return { ...profile, campaign_counts: (await campaignCounts(ctx, [id]))(id) }
  })

const changeProfile = (ctx: Context, id: string, body: ProfileChanges): Promise<Profile> =>
  change(ctx, 'profile.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'profiles', id)
    const before = toProfile(row, (await campaignCounts(ctx, [id]))(id))
    const { settled, faults } = await normalize(ctx, { ...normalizedFromRow(row), ...body }, row)
    checkFaults(ctx, [
      ...faults,
      ...changedReadOnly(before, body, readOnlyFields),
      ...(await fixedFaults(ctx, row, settled)),
    ])
    if (changedFields<NormalizedProfile>(normalizedFromRow(row), settled).length === 0)
      return { before, after: before }
    const stamps = nextStamps(ctx, row)
    update(ctx, 'profiles', {
      id,
      ...settled,
      metadata: JSON.stringify(settled.metadata),
      ...stamps,
    })
    return { before, after: toProfile({ ...row, ...settled, ...stamps }, before.campaign_counts) }
  })

export async function deleteProfile(ctx: Context, id: string): Promise<void> {
  await change(ctx, 'profile.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'profiles', id)
    await checkUnused(ctx, id, { type: 'campaign', table: 'campaigns', column: 'profile_id' })
    remove(ctx, 'profiles', id)
    return { before: toProfile(row, noCampaigns), after: null }
  })
}

const toProfile = (row: Row<'profiles'>, counts: CampaignCounts): Profile => ({
  id: row.id,
  name: row.name,
  platform: row.platform as Profile['platform'],
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
  campaign_counts: counts,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
