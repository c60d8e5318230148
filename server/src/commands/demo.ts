import { performAction } from '../features/campaigns/actions.ts'
import { createCampaign } from '../features/campaigns/campaigns.ts'
import type { Status } from '../features/campaigns/lifecycle/transitions.ts'
import { createProfile } from '../features/profiles/profiles.ts'
import { createProxy } from '../features/proxies/proxies.ts'
import { createTemplate } from '../features/templates/templates.ts'
import { type Context, nowIn } from '../kernel/context.ts'
import { rowsOf } from '../kernel/rows.ts'
import { inTransaction } from '../kernel/transaction.ts'
import { actIn, actInFirst, administer } from './administer.ts'
import { CommandError, command } from './command.ts'
import { campaignsAt, profiles, proxies, templates } from './demo-data.ts'

type Filled = {
  organization_id: string
  proxies: number
  profiles: number
  templates: number
  campaigns: number
  campaigns_by_status: Partial<Record<Status, number>>
}

export const demo = command({
  usage: 'demo',
  summary: 'Fill an organization with sample data',
  options: { org: { value: 'org', about: 'id of the organization (default: the first)' } },
  run: ({ option }) =>
    administer('demo', async (services) => {
      const org = option('org')
      const ctx = org === undefined ? await actInFirst(services) : await actIn(services, org)
      if (!ctx) {
        throw new CommandError('There is no organization yet: start the service, or orgs create.')
      }
      // One transaction: all or nothing.
      return inTransaction(ctx, fill)
    }),
  show: (filled) =>
    [
      `Created ${filled.proxies} proxies, ${filled.profiles} profiles, ${filled.templates} templates`,
      ` and ${filled.campaigns} campaigns: `,
      Object.entries(filled.campaigns_by_status)
        .map(([status, count]) => `${count} ${status}`)
        .join(', '),
      '.',
    ].join(''),
})

async function refuseTwice(ctx: Context): Promise<void> {
  const references = profiles.map((profile) => String(profile.account_ref))
  const known = await rowsOf(ctx, 'profiles')
    .select('id')
    .where('account_ref', 'in', references)
    .execute()
  if (known.length > 0)
    throw new CommandError(`${ctx.organization.name} already has the demo data.`)
}

async function fill(ctx: Context): Promise<Filled> {
  await refuseTwice(ctx)
  const proxyIds = new Map<string, string>()
  for (const proxy of proxies) proxyIds.set(String(proxy.name), (await createProxy(ctx, proxy)).id)
  const profileIds: string[] = []
  for (const { proxy, ...profile } of profiles) {
    const proxy_id = proxy === null ? null : (proxyIds.get(proxy) ?? null)
    profileIds.push((await createProfile(ctx, { ...profile, proxy_id })).id)
  }
  for (const template of templates) await createTemplate(ctx, template)
  const statuses = await fillCampaigns(ctx, profileIds)
  return {
    organization_id: ctx.organization.id,
    proxies: proxies.length,
    profiles: profiles.length,
    templates: templates.length,
    campaigns: statuses.length,
    campaigns_by_status: counted(statuses),
  }
}

async function fillCampaigns(ctx: Context, profileIds: string[]): Promise<Status[]> {
  const statuses: Status[] = []
  for (const { profile, input, actions } of campaignsAt(new Date(nowIn(ctx)))) {
    const campaign = await createCampaign(ctx, {
      ...input,
      profile_id: String(profileIds[profile]),
    })
    let { status } = campaign
    for (const action of actions) {
      status = (await performAction(ctx, campaign.id, { action })).status
    }
    statuses.push(status)
  }
  return statuses
}

function counted(statuses: Status[]): Filled['campaigns_by_status'] {
  const groups = Object.entries(Object.groupBy(statuses, (status) => status))
  return Object.fromEntries(groups.map(([status, group]) => [status, group?.length ?? 0]))
}
