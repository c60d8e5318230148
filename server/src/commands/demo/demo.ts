import { performAction } from '../../features/campaigns/actions.ts'
import { createCampaign } from '../../features/campaigns/campaigns.ts'
import type { Action, Status } from '../../features/campaigns/lifecycle/transitions.ts'
import { createProfile } from '../../features/profiles/profiles.ts'
import { createProxy } from '../../features/proxies/proxies.ts'
import { createTemplate } from '../../features/templates/templates.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { actIn, actInFirst, administer } from '../administer.ts'
import { action, CommandError } from '../command.ts'
import { ownUrl } from '../remote.ts'
import { type Connector, connect } from './connect.ts'
import { campaignsAt, dayBeforeAll, profiles, proxies, templates } from './data.ts'
import { fillResults, type Ran } from './results.ts'

type Filled = {
  organization_id: string
  proxies: number
  profiles: number
  templates: number
  campaigns: number
  campaigns_by_status: Partial<Record<Status, number>>
  days_of_results: number
}

/** With these the simulated network finds the service, and a place for its own. */
type Connected = { url: string; data_dir: string; connector: Connector }

type DemoShown = Partial<Filled & Connected>

export const demo = action({
  run: ({ option, flag }) =>
    administer('demo', async (services): Promise<DemoShown> => {
      const org = option('org')
      const ctx = org === undefined ? await actInFirst(services) : await actIn(services, org)
      if (!ctx) {
        throw new CommandError('There is no organization yet: start the service, or orgs create.')
      }
      // One transaction: all or nothing.
      if (!flag('connect')) return inTransaction(ctx, fill)
      const filled = (await isFilled(ctx)) ? {} : await inTransaction(ctx, fill)
      const { dataDir } = services.config
      return { ...filled, url: ownUrl(), data_dir: dataDir, connector: await connect(ctx) }
    }),
  show: (filled) =>
    filled.organization_id === undefined ? 'It has the demo data.' : textOf(filled),
})

const textOf = (filled: Partial<Filled>): string =>
  [
    `Created ${filled.proxies} proxies, ${filled.profiles} profiles, ${filled.templates} templates`,
    ` and ${filled.campaigns} campaigns: `,
    Object.entries(filled.campaigns_by_status ?? {})
      .map(([status, count]) => `${count} ${status}`)
      .join(', '),
    `; and ${filled.days_of_results} days of their results`,
    '.\nThe proxies are examples: one fails on purpose, the others are disabled.',
  ].join('')

async function isFilled(ctx: Context): Promise<boolean> {
  const references = profiles.map((profile) => String(profile.account_ref))
  const known = await rowsOf(ctx, 'profiles')
    .select('id')
    .where('account_ref', 'in', references)
    .execute()
  return known.length > 0
}

export async function fill(ctx: WriteContext): Promise<Filled> {
  if (await isFilled(ctx))
    throw new CommandError(`${ctx.organization.name} already has the demo data.`)
  const campaigns = await fillCampaigns(ctx, await fillProfiles(ctx))
  return {
    organization_id: ctx.organization.id,
    proxies: proxies.length,
    profiles: profiles.length,
    templates: templates.length,
    campaigns: campaigns.length,
    campaigns_by_status: counted(campaigns.map(({ campaign }) => campaign.status)),
    days_of_results: await fillResults(ctx, campaigns),
  }
}

/** Made the day before the oldest campaign; answers the ids of the profiles. */
async function fillProfiles(now: WriteContext): Promise<string[]> {
  const ctx = { ...now, now: dayBeforeAll(new Date(now.now)) }
  const proxyIds = new Map<string, string>()
  for (const proxy of proxies) proxyIds.set(String(proxy.name), (await createProxy(ctx, proxy)).id)
  const profileIds: string[] = []
  for (const { proxy, ...profile } of profiles) {
    const proxy_id = proxy === null ? null : (proxyIds.get(proxy) ?? null)
    profileIds.push((await createProfile(ctx, { ...profile, proxy_id })).id)
  }
  for (const template of templates) await createTemplate(ctx, template)
  return profileIds
}

/** Launched in the past, the oldest first, so that there is pacing to judge. */
async function fillCampaigns(ctx: WriteContext, profileIds: string[]): Promise<Ran[]> {
  const planned = campaignsAt(new Date(ctx.now)).toSorted(
    (one, other) => Date.parse(one.begun) - Date.parse(other.begun),
  )
  const all: (Ran & { rest: readonly Action[] })[] = []
  for (const { number, begun, profile, input, actions } of planned) {
    const then = { ...ctx, now: begun }
    const [launch, ...rest] = actions
    const body = { ...input, profile_id: String(profileIds[profile]) }
    const created = await createCampaign(then, body)
    const campaign = launch ? await performAction(then, created.id, { action: launch }) : created
    all.push({ campaign, platform: profiles[profile]?.platform ?? 'other', number, rest })
  }
  for (const each of all) {
    for (const action of each.rest) {
      each.campaign = await performAction(ctx, each.campaign.id, { action })
    }
  }
  return all
}

function counted(statuses: Status[]): Filled['campaigns_by_status'] {
  const groups = Object.entries(Object.groupBy(statuses, (status) => status))
  return Object.fromEntries(groups.map(([status, group]) => [status, group?.length ?? 0]))
}
