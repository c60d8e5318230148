import type { Page } from '@flightdeckhq/sdk'
import type { Address } from '../../address.ts'
import { nameOf } from '../../data/choices.ts'
import { formatBytes, levelOf } from '../../data/usage.ts'
import type { Campaign, Profile, ProxyServer, Schema, WebhookEndpoint } from '../../flightdeck.ts'

/** A matter that waits for a person, and the screen that deals with it. */
export type Need = {
  id: string
  tone: 'info' | 'warn' | 'bad'
  title: string
  /** The objects, or the extent. */
  detail: string
  at: Address
}

/** `Spring sale, Winter sale and 3 more`. */
function namesOf(objects: readonly { name: string }[]): string {
  const shown = objects.slice(0, 3).map(({ name }) => name)
  const more = objects.length - shown.length
  return listed(more > 0 ? [...shown, `${more} more`] : shown)
}

const listed = (texts: readonly string[]) => new Intl.ListFormat('en').format(texts)

/** `1 campaign`, `12 campaigns`, `100 or more campaigns`. */
function countOf(
  count: number,
  [noun, nouns]: Noun,
  { meta }: Pick<Page<unknown>, 'meta'>,
): string {
  if (meta.has_more) return `${count} or more ${nouns}`
  return count === 1 ? `1 ${noun}` : `${count} ${nouns}`
}

type Noun = readonly [one: string, several: string]
const campaign: Noun = ['campaign', 'campaigns']
const activeCampaign: Noun = ['active campaign', 'active campaigns']
const changeSet: Noun = ['change set', 'change sets']
const proxy: Noun = ['proxy', 'proxies']

export function approvalNeeds(page: Page<Campaign>): Need[] {
  const mine = page.data.filter(({ available_actions }) =>
    available_actions.some(({ action, allowed }) => action === 'approve' && allowed),
  )
  if (mine.length === 0) return []
  return [
    {
      id: 'approvals',
      tone: 'info',
      title: `${countOf(mine.length, campaign, page)} ${mine.length === 1 ? 'waits' : 'wait'} for your approval`,
      detail: namesOf(mine),
      at: { to: '/approvals' },
    },
  ]
}

export function changeSetNeeds(page: Page<Schema<'ChangeSet'>>): Need[] {
  const mine = page.data.filter(
    ({ approval, available_actions }) =>
      approval.required &&
      available_actions.some(({ action, allowed }) => action === 'approve' && allowed),
  )
  const [first] = mine
  if (first === undefined) return []
  const isOnly = mine.length === 1 && !page.meta.has_more
  return [
    {
      id: 'change sets',
      tone: 'info',
      title: `${countOf(mine.length, changeSet, page)} ${mine.length === 1 ? 'waits' : 'wait'} for your approval`,
      detail: namesOf(mine.map(({ title }) => ({ name: title }))),
      at: isOnly
        ? { to: '/change-sets/$id', params: { id: first.id } }
        : { to: '/change-sets', search: { status: 'open' } },
    },
  ]
}

/** Reasons that were planned, and need no person. */
const planned = new Set(['outside_schedule', 'before_start'])

export const idleNeeds = (page: Page<Campaign>): Need[] =>
  byReason(page.data, ({ delivery }) => delivery.reasons)
    .filter(([reason]) => !planned.has(reason))
    .map(([reason, campaigns]) => ({
      id: `idle ${reason}`,
      tone: 'bad',
      title: `${countOf(campaigns.length, activeCampaign, page)} cannot deliver: ${nameOf(reason).toLowerCase()}`,
      detail: namesOf(campaigns),
      at: { to: '/campaigns', search: { status: 'active', delivery_reason: reason } },
    }))

export const stoppedNeeds = (page: Page<Campaign>): Need[] =>
  byReason(page.data, ({ status_reason }) => (status_reason ? [status_reason] : [])).map(
    ([reason, campaigns]) => ({
      id: `stopped ${reason}`,
      tone: 'warn',
      title: `${countOf(campaigns.length, campaign, page)} paused by the service: ${nameOf(reason).toLowerCase()}`,
      detail: namesOf(campaigns),
      at: { to: '/campaigns', search: { status: 'paused', status_reason: reason } },
    }),
  )

function byReason(
  campaigns: readonly Campaign[],
  reasonsOf: (campaign: Campaign) => readonly string[],
): [string, Campaign[]][] {
  const groups = new Map<string, Campaign[]>()
  for (const campaign of campaigns) {
    for (const reason of reasonsOf(campaign)) {
      groups.set(reason, [...(groups.get(reason) ?? []), campaign])
    }
  }
  return [...groups].sort(([, one], [, other]) => other.length - one.length)
}

type Deployed = Pick<Schema<'Deployment'>, 'id' | 'campaign_id' | 'desired' | 'state' | 'error'>

export function deploymentNeeds(page: Page<Deployed>): Need[] {
  const drifted = page.data.filter(({ state }) => state === 'drifted')
  const blocked = page.data.filter(({ state }) => state === 'blocked')
  return [
    ...deployedNeed(drifted, page, {
      id: 'drifted',
      tone: 'warn',
      verbs: ['differs from its plan in its network', 'differ from their plans in their networks'],
    }),
    ...deployedNeed(blocked, page, {
      id: 'blocked',
      tone: 'bad',
      verbs: ['is blocked on its way to its network', 'are blocked on their way to their networks'],
    }),
  ]
}

type Deployedness = Pick<Need, 'id' | 'tone'> & { verbs: Noun }

function deployedNeed(
  deployed: readonly Deployed[],
  page: Page<unknown>,
  { id, tone, verbs: [one, several] }: Deployedness,
): Need[] {
  const [first] = deployed
  if (!first) return []
  const isOnly = deployed.length === 1 && !page.meta.has_more
  return [
    {
      id,
      tone,
      title: `${countOf(deployed.length, campaign, page)} ${isOnly ? one : several}`,
      detail: namesOf(deployed.map(({ desired }) => desired)),
      at: isOnly
        ? { to: '/campaigns/$id', params: { id: first.campaign_id }, search: { tab: 'deployment' } }
        : { to: '/deployments', search: { state: id } },
    },
  ]
}

type Account = Pick<Profile, 'id' | 'name'>

export const blockedAccountNeeds = ({ data }: Page<Account>): Need[] =>
  data.map(({ id, name }) => ({
    id: `account ${id}`,
    tone: 'bad',
    title: 'An account is blocked: nothing is sent to its network',
    detail: name,
    at: { to: '/profiles/$id', params: { id }, search: { tab: 'connection' } },
  }))

export const endingNeeds = ({ data }: Page<Account>): Need[] =>
  data.map(({ id, name }) => ({
    id: `ending ${id}`,
    tone: 'warn',
    title: 'The credential of an account ends within 14 days, or has ended',
    detail: name,
    at: { to: '/profiles/$id', params: { id }, search: { tab: 'connection' } },
  }))

export const endpointNeeds = ({ data }: Page<WebhookEndpoint>): Need[] =>
  data.flatMap(({ id, url, status, disabled_reason, consecutive_failures }): Need[] => {
    const at = { to: '/webhook-endpoints/$id', params: { id } } as const
    const place = { id, detail: url, at }
    const isOff = status === 'disabled' && disabled_reason !== 'manual'
    if (isOff) {
      const why = disabled_reason === 'gone' ? 'its receiver is gone' : 'it kept failing'
      return [{ ...place, tone: 'bad', title: `A webhook endpoint was disabled: ${why}` }]
    }
    if (status === 'disabled' || consecutive_failures === 0) return []
    const times = consecutive_failures === 1 ? 'once' : `${consecutive_failures} times in a row`
    return [{ ...place, tone: 'warn', title: `A webhook endpoint failed ${times}` }]
  })

export const proxyNeeds = (page: Page<ProxyServer>): Need[] =>
  (['failing', 'degraded'] as const).flatMap((wanted) => {
    const proxies = page.data.filter(({ status }) => status === wanted)
    if (proxies.length === 0) return []
    return [
      {
        id: wanted,
        tone: wanted === 'failing' ? 'bad' : 'warn',
        title: `${countOf(proxies.length, proxy, page)} ${wanted}`,
        detail: namesOf(proxies),
        at: { to: '/proxies', search: { status: wanted } },
      },
    ]
  })

/** A source that is a day late is only slow. */
const silentAfterDays = 2

export const silentNeeds = (sources: readonly Schema<'ResultSourceState'>[]): Need[] =>
  sources
    .filter(({ days_behind }) => days_behind >= silentAfterDays)
    .map(({ source, days_behind, complete_through }) => ({
      id: `silent ${source}`,
      tone: 'warn',
      title: `${source} has reported nothing for ${days_behind} days`,
      detail: `Its results are complete through ${complete_through}`,
      at: { to: '/results' },
    }))

export const limitNeeds = ({ caps }: Schema<'Limits'>): Need[] =>
  Object.entries(caps).flatMap(([kind, { used, limit }]): Need[] => {
    if (limit === null) return []
    const { tone, word } = levelOf(used, limit)
    if (tone === 'good') return []
    const shown = kind === 'storage' ? formatBytes : count
    return [
      {
        id: `limit ${kind}`,
        tone: tone === 'bad' ? 'bad' : 'warn',
        title: `${nameOf(kind)}: ${word.toLowerCase()}`,
        detail: `${shown(used)} of ${shown(limit)} are used`,
        at: { to: '/organization' },
      },
    ]
  })

const count = (number: number) => number.toLocaleString()

export const organizationNeeds = ({ status }: Schema<'Organization'>): Need[] =>
  status === 'suspended'
    ? [
        {
          id: 'suspended',
          tone: 'bad',
          title: 'Your organization is suspended',
          detail: 'It can be read but not changed, and no campaign delivers.',
          at: { to: '/organization' },
        },
      ]
    : []
