import type { Guardrails } from '../../database/tables/json-columns.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { differencesAt, fieldsAt, type Revertible, readAsOf } from '../../history/as-of.ts'
import type { Context } from '../../kernel/context.ts'
import { findOne, oneOf } from '../../kernel/rows.ts'
import type { Query } from '../../query/list.ts'
import { readMoney } from '../../values/money.ts'
import { keysOf } from '../../values/objects.ts'
import { guardrailsIn } from '../guardrails/rules.ts'
import { getCampaign, updateCampaign } from './campaigns.ts'
import { type Details, momentOf, toCampaign } from './present.ts'
import { factColumns } from './profile-facts.ts'
import { approvedOf } from './review.ts'
import { type Campaign, CampaignChanges } from './schema.ts'
import { asksPerformance, withPerformance } from './target/present.ts'

export const campaignHistory: Revertible<Campaign> = {
  type: 'campaign',
  table: 'campaigns',
  fields: keysOf(CampaignChanges.properties),
  get: getCampaign,
  update: updateCampaign,
}

/** The campaign now or at a time; how it performs is judged only now. */
export async function campaignAsked(ctx: Context, id: string, query: Query): Promise<Campaign> {
  const campaign = await campaignAt(ctx, id, query.as_of)
  if (!asksPerformance(query)) return campaign
  if (query.as_of !== undefined) return { ...campaign, performance: null }
  const [judged = campaign] = await withPerformance(ctx, [campaign])
  return judged
}

/** The campaign at that time, including its delivery and available actions then. */
async function campaignAt(ctx: Context, id: string, asOf: string | undefined): Promise<Campaign> {
  const time = readAsOf(ctx, asOf)
  if (time === null) return getCampaign(ctx, id)
  const present = await oneOf(ctx, 'campaign_details', id)
  const then = await differencesAt<Campaign>(ctx, campaignHistory, { present, time })
  // Events of the deployment say what networks did then.
  const row = { ...present, ...then, deployment: null }
  const organization = await organizationAsOf(ctx, time)
  const facts = await factsAsOf(ctx, row, { time, organization })
  const moment = { ...momentOf(ctx), now: time, organization }
  const status_change = beganBy(row.status_change, time)
  const stored = { ...then, deployment: null, status_change, approved: approvedOf(row) }
  return { ...toCampaign({ ...row, ...facts }, moment), ...stored }
}

/** Older records do not have it: what was filled in from the latest came later. */
const beganBy = (change: Details['status_change'], time: string) =>
  change !== null && change.at <= time ? change : null

type OrganizationThen = { status: string; approval?: Guardrails['approval'] }

async function organizationAsOf(ctx: Context, time: string): Promise<OrganizationThen> {
  const { id, status } = ctx.organization
  return { status, ...(await fieldsAt<OrganizationThen>(ctx, 'organization', { id, time })) }
}

type PastState = { time: string; organization: OrganizationThen }

/** The profile and proxy at that time; a profile deleted since counts as missing. */
async function factsAsOf(ctx: Context, row: Details, { time, organization }: PastState) {
  const profile = await rowAsOf(
    ctx,
    { type: 'profile', table: 'profiles', id: row.profile_id },
    time,
  )
  const proxyId = profile?.proxy_id ?? null
  const proxy =
    proxyId === null
      ? undefined
      : await rowAsOf(ctx, { type: 'proxy', table: 'proxies', id: proxyId }, time)
  const cap = {
    profile_cap_minor: profile?.daily_budget_cap_minor ?? null,
    profile_spend_cap_minor: profile?.monthly_spend_cap_minor ?? null,
    // Only the present month of a client is counted.
    client_spending: null,
  }
  const guardrails = guardrailsAsOf(row, organization)
  const profileFacts = { ...cap, proxy_status: proxy?.status ?? null, guardrails }
  return { ...factColumns(profile && { ...profile, ...profileFacts }), guardrails }
}

type ObjectPlace<Table> = { type: string; table: Table; id: string }

/** A row with its fields as they were. */
async function rowAsOf<Table extends 'profiles' | 'proxies'>(
  ctx: Context,
  { type, table, id }: ObjectPlace<Table>,
  time: string,
) {
  const row = await findOne(ctx, table, id)
  return row && { ...row, ...(await fieldsAt<Row<Table>>(ctx, type, { id, time })) }
}

/**
 * The campaign's guardrails with the approval rules of the time: the others do not show on a
 * campaign. Audit records hold major units.
 */
function guardrailsAsOf(
  { guardrails }: Details,
  { approval }: OrganizationThen,
): Guardrails | null {
  if (!approval) return guardrails
  const inMinor = Object.entries(approval.amounts).map(([currency, amount]) => {
    const read = readMoney(amount, currency, '')
    return [currency, 'minor' in read ? read.minor : 0]
  })
  const then = { ...approval, amounts: Object.fromEntries(inMinor) }
  return { ...guardrailsIn(guardrails), approval: then }
}
