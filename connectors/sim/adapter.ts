import {
  type Access,
  type AccountFacts,
  type Adapter,
  type Apply,
  type Coverage,
  type Days,
  NetworkFault,
  type Observed,
  type Plan,
  type Planned,
  type ResultRow,
  type Seen,
} from '../kit/src/connect.ts'
import { accountIn, campaignIn, type NetworkCampaign, pageIn, reportIn } from './answers.ts'
import { ask, expectOk } from './calls.ts'

/** The adapter of the simulated network: it holds all that Flightdeck plans. */

const coverage: Coverage = {
  name: 'native',
  status: 'native',
  budget: 'native',
  dates: 'native',
  schedule: 'native',
}

/** A campaign in the network's shape, but for its labels. */
export type SimBody = {
  name: string
  objective: string
  status: 'ENABLED' | 'PAUSED'
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  schedule: Plan['schedule']
  settings: Plan['settings']
}

export type SimOptions = {
  url: string
  /** Opens accounts that the network does not have yet; for a network of one's own. */
  opensAccounts?: boolean
}

const perPage = 500

export function simAdapter({ url, opensAccounts = false }: SimOptions): Adapter<SimBody> {
  return {
    platform: 'sim',
    name: 'sim',
    version: '0.1.0',
    apiVersion: '1',
    coverage,
    url,
    authorize: async (token) => ({
      headers: { authorization: `Bearer ${token}` },
      expiresAt: null,
    }),
    account: (access) => accountOf(access, opensAccounts),
    inventory,
    plan: planned,
    read,
    apply,
    async remove(access, id) {
      const answer = await ask(access, `campaigns/${encodeURIComponent(id)}`, { method: 'DELETE' })
      if (answer.status !== 404) expectOk(answer, 'write')
    },
    results,
    openDays: async () => openDays,
  }
}

/** Conversions of a day come within two days. */
const openDays = 2

async function accountOf(access: Access, opensAccounts: boolean): Promise<AccountFacts> {
  let answer = await ask(access, '')
  if (answer.status === 404 && opensAccounts) {
    const { currency, time_zone } = access.profile
    const body = { id: access.accountRef, currency: currency ?? 'USD', time_zone }
    await access.fetch('/control/accounts', { method: 'POST', body })
    answer = await ask(access, '')
  }
  if (answer.status === 404)
    throw new NetworkFault('blocked', `The network has no account ${access.accountRef}.`, {
      code: 'permission',
    })
  return accountIn(expectOk(answer, 'read').json())
}

async function* inventory(access: Access): AsyncIterable<Seen> {
  let after = ''
  do {
    const { data, next } = await pageOf(access, { limit: String(perPage), after })
    for (const campaign of data) yield seenOf(campaign, access)
    after = next ?? ''
  } while (after !== '')
}

async function pageOf(access: Access, query: Record<string, string>) {
  const answer = await ask(access, `campaigns?${new URLSearchParams(query)}`)
  return pageIn(expectOk(answer, 'read').json())
}

async function read(
  access: Access,
  which: { ids: readonly string[] } | { marker: string },
): Promise<Map<string, Seen>> {
  const queries =
    'marker' in which
      ? [{ label: which.marker }]
      : chunksOf(which.ids).map((ids) => ({ ids: ids.join(','), limit: String(perPage) }))
  const found = new Map<string, Seen>()
  for (const query of queries)
    for (const each of (await pageOf(access, query)).data) found.set(each.id, seenOf(each, access))
  return found
}

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / 100) }, (_, at) =>
    ids.slice(at * 100, (at + 1) * 100),
  )

function planned(desired: Plan): Planned<SimBody> {
  const { name, objective, run, settings, schedule } = desired
  const { daily_budget_minor, lifetime_budget_minor, start_at, end_at } = desired
  const status = run === 'enabled' ? 'ENABLED' : 'PAUSED'
  const budgets = { daily_budget_minor, lifetime_budget_minor }
  return { body: { name, objective, status, ...budgets, start_at, end_at, schedule, settings } }
}

async function apply(access: Access, body: SimBody, { seen, marker, validateOnly }: Apply) {
  const tried = validateOnly ? '?validate_only=true' : ''
  if (seen === null) {
    const all = { ...body, labels: [marker] }
    const answer = await ask(access, `campaigns${tried}`, { method: 'POST', body: all })
    const made = expectOk(answer, 'write').json()
    return { id: validateOnly ? '' : campaignIn(made, true).id }
  }
  const { settings: _, objective: __, ...values } = body
  const changes = Object.fromEntries(
    Object.entries(values).filter(([field, value]) => isOther(field, value, seen.observed)),
  )
  if (Object.keys(changes).length === 0) return { id: seen.id }
  const path = `campaigns/${encodeURIComponent(seen.id)}${tried}`
  const answer = expectOk(await ask(access, path, { method: 'PATCH', body: changes }), 'write')
  // An answer that cannot be read says nothing of what was done.
  answer.json()
  return { id: seen.id }
}

function isOther(field: string, value: unknown, observed: Observed): boolean {
  const { run, ...others } = observed
  const seen: Record<string, unknown> = {
    ...others,
    status: run === 'enabled' ? 'ENABLED' : 'PAUSED',
  }
  return JSON.stringify(seen[field]) !== JSON.stringify(value)
}

async function* results(
  access: Access,
  ids: readonly string[],
  { from, to }: Days,
): AsyncIterable<ResultRow> {
  for (const some of chunksOf(ids)) {
    const query = new URLSearchParams({ ids: some.join(','), from, to })
    const answer = expectOk(await ask(access, `report?${query}`), 'read')
    for (const { campaign_id: id, ...figures } of reportIn(answer.json())) yield { id, ...figures }
  }
}

const statusOf = ({ status, start_at, end_at }: NetworkCampaign): Seen['status'] => {
  const now = Date.now()
  if (end_at !== null && Date.parse(end_at) <= now) return 'ended'
  if (status === 'PAUSED') return 'paused'
  return start_at !== null && Date.parse(start_at) > now ? 'scheduled' : 'active'
}

function seenOf(campaign: NetworkCampaign, { profile }: Access): Seen {
  const { id, url, labels, status, serving } = campaign
  const { name, objective, daily_budget_minor, lifetime_budget_minor, settings } = campaign
  const { start_at, end_at, schedule } = campaign
  const time = (text: string | null) => (text === null ? null : new Date(text).toISOString())
  const isServing = serving.state === 'SERVING'
  return {
    id,
    url,
    marker: labels.find((label) => label.startsWith('fd:')) ?? null,
    status: statusOf(campaign),
    delivery: {
      state: isServing ? 'delivering' : 'not_delivering',
      reasons: serving.reasons.map((reason) => words[reason] ?? reason),
    },
    observed: {
      name,
      objective,
      run: status === 'ENABLED' ? 'enabled' : 'paused',
      daily_budget_minor,
      lifetime_budget_minor,
      ...(profile.currency !== null && { currency: profile.currency }),
      start_at: time(start_at),
      end_at: time(end_at),
      schedule,
      settings,
    },
  }
}

const words: Readonly<Record<string, string>> = {
  CAMPAIGN_PAUSED: 'The campaign is paused.',
  CAMPAIGN_ENDED: 'The campaign has ended.',
  NO_ADS: 'The campaign has no ads.',
  OUTSIDE_HOURS: 'It is outside of its dates or hours.',
}
