import pg from 'pg'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { campaignIds } from '../../server/src/features/campaigns/resource.ts'
import { newId } from '../../server/src/values/ids.ts'
import type { TestOrganization } from '../../server/test/support/world.ts'

type Made = { id: string; version: number }

/** Campaigns of one profile, made through the API in this order. */
export async function campaignsOf(
  { owner }: TestOrganization,
  bodies: readonly object[],
): Promise<Made[]> {
  const profile = (await owner.post('/profiles', { name: 'Main account' })).json()
  const own = { objective: 'sales', profile_id: profile.id, daily_budget: 100, currency: 'USD' }
  const made: Made[] = []
  for (const body of bodies) {
    const reply = await owner.post('/campaigns', { ...own, ...body })
    expect(reply.statusCode).toBe(201)
    made.push(reply.json())
  }
  return made
}

const insertSql = `
  insert into campaigns (organization_id, id, name, name_folded, objective, profile_id, status,
    daily_budget_minor, daily_cost_minor, currency, currency_exponent, time_zone, labels, metadata,
    version, created_at, updated_at, launched_at, created_by, updated_by)
  select $1, id, 'Campaign ' || n, 'campaign ' || n, 'sales', $2, 'active',
    1000 + n, 1000 + n, 'USD', 2, 'UTC', '{spring}', '{}',
    1, now() + n * interval '1 ms', now() + n * interval '1 ms', now(), $4, $4
  from unnest($3::text[]) with ordinality as t(id, n)`

const countSql = `
  insert into campaign_counts (organization_id, profile_id, status, objective, currency, campaigns)
  values ($1, $2, 'active', 'sales', 'USD', $3)`

/** More than the API would make in time: `Campaign 1` is the oldest. */
export async function manyCampaigns(
  { id, owner }: TestOrganization,
  count: number,
): Promise<string[]> {
  const profile = (await owner.post('/profiles', { name: 'Main account' })).json()
  const ids = Array.from({ length: count }, () => newId(campaignIds))
  const client = new pg.Client(inject('address'))
  await client.connect()
  await client.query(insertSql, [id, profile.id, ids, owner.userId])
  await client.query(countSql, [id, profile.id, count])
  await client.end()
  return ids
}

/** The row of the campaign of this name. */
export const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

export const cellOf = (page: Page, name: string, column: string) =>
  rowOf(page, name).locator(`[data-column="${column}"]`)

/**
 * Waits for the grid to have the focus again: a layer above it gives it back a frame after it is
 * gone.
 */
export const focusInGrid = (page: Page) => page.locator('[role=grid] :focus').waitFor()
