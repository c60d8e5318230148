import type { Faults } from './faults.ts'
import { isOpen, wallOf } from './hours.ts'
import { countUp, reportOf } from './spend.ts'
import {
  addCampaign,
  newest,
  nowIn,
  type SimAccount,
  type SimCampaign,
  type SimState,
  setValues,
  valuesAt,
} from './state.ts'
import { changed, objectOf, Refusal } from './values.ts'

/** The network's own API, as its clients see it. */

export type NetworkRequest = {
  method: string
  /** Without the `/v1`, in parts. */
  path: readonly string[]
  query: URLSearchParams
  token: string | null
  body: unknown
}

export type Answered = { status: number; body: unknown }

export type Network = { state: SimState; faults: Faults; address: () => string }

type Account = { network: Network; account: SimAccount; request: NetworkRequest }

const mostPerPage = 500

export function answerApi(network: Network, request: NetworkRequest): Answered {
  const [collection, ref, part, id, ...rest] = request.path
  if (collection !== 'accounts' || ref === undefined || rest.length > 0) throw unknownPath()
  const of = { network, account: accountFor(network, ref, request), request }
  const { method } = request
  if (part === undefined && method === 'GET') return { status: 200, body: accountShown(of.account) }
  checkServing(of.account)
  if (part === 'report' && method === 'GET') return { status: 200, body: report(of) }
  if (part !== 'campaigns') throw unknownPath()
  if (id === undefined) {
    if (method === 'GET') return { status: 200, body: page(of) }
    if (method === 'POST') return { status: 201, body: create(of) }
    throw unknownPath()
  }
  return answerOne(of, id)
}

function answerOne(of: Account, id: string): Answered {
  const campaign = of.account.campaigns.get(id)
  if (!campaign || newest(campaign).values === null) throw noCampaign()
  if (of.request.method === 'GET') {
    const shown = shownThen(of, campaign)
    if (!shown) throw noCampaign()
    return { status: 200, body: shown }
  }
  if (of.request.method === 'PATCH') return { status: 200, body: change(of, campaign) }
  if (of.request.method !== 'DELETE') throw unknownPath()
  countUp(of.network.state, of.account, campaign)
  if (!keepsOld(of)) setValues(of.network.state, campaign, null)
  return { status: 200, body: { id, status: 'REMOVED' } }
}

const unknownPath = () => new Refusal(404, 'unknown_path', 'there is nothing at this address')
const noCampaign = () => new Refusal(404, 'not_found', 'there is no such campaign')

function accountFor({ state }: Network, ref: string, { token }: NetworkRequest): SimAccount {
  const account = state.accounts.get(ref)
  if (!account) throw new Refusal(404, 'no_account', 'there is no such account')
  if (token !== account.token) throw new Refusal(401, 'credential_invalid', 'the token is unknown')
  const { credential_expires_at: end } = account
  const isOver = end !== null && Date.parse(end) <= nowIn(state)
  if (account.credential === 'EXPIRED' || isOver)
    throw new Refusal(401, 'credential_expired', 'the token has expired')
  return account
}

function checkServing({ status }: SimAccount): void {
  if (status !== 'ACTIVE')
    throw new Refusal(403, 'account_suspended', `the account is ${status.toLowerCase()}`)
}

const accountShown = ({
  id,
  name,
  currency,
  time_zone,
  status,
  credential_expires_at,
}: SimAccount) => ({
  id,
  name,
  currency,
  time_zone,
  status,
  credential_expires_at,
})

type Shown = ReturnType<typeof campaignShown>

function campaignShown(
  { network, account }: Account,
  campaign: SimCampaign,
  { values, revision }: ReturnType<typeof newest>,
) {
  if (values === null) return null
  const serving = servingOf(network.state, account, values)
  const url = `${network.address()}/accounts/${encodeURIComponent(account.id)}/campaigns/${campaign.id}`
  return { id: campaign.id, revision, ...values, serving, url }
}

function servingOf(
  state: SimState,
  account: SimAccount,
  values: NonNullable<ReturnType<typeof newest>['values']>,
) {
  const now = nowIn(state)
  const isOver = values.end_at !== null && Date.parse(values.end_at) <= now
  const reasons = [
    ...(values.status === 'PAUSED' ? ['CAMPAIGN_PAUSED'] : []),
    ...(isOver ? ['CAMPAIGN_ENDED'] : []),
    ...(values.settings.no_ads === true ? ['NO_ADS'] : []),
    ...(!isOver && !isOpen(values, now, account.time_zone) ? ['OUTSIDE_HOURS'] : []),
  ]
  return { state: reasons.length === 0 ? 'SERVING' : 'NOT_SERVING', reasons }
}

/** The campaign as reads show it, which may be what it was some time ago. */
function shownThen(of: Account, campaign: SimCampaign): Shown {
  const { state, faults } = of.network
  const stale = faults.hit('stale_reads', { isWrite: false, account: of.account.id })
  const version = valuesAt(campaign, nowIn(state) - (stale ? (stale.ms ?? 5_000) : 0))
  return version ? campaignShown(of, campaign, version) : null
}

/** Campaigns in the order of their ids; removed ones are left out. */
function page(of: Account) {
  const { query } = of.request
  const limit = Math.min(mostPerPage, Math.max(1, Number(query.get('limit') ?? 100) || 100))
  const after = query.get('after') ?? ''
  const ids = query.get('ids')?.split(',')
  const label = query.get('label')
  const all = [...of.account.campaigns.values()]
    .filter(({ id }) => id > after && (!ids || ids.includes(id)))
    .flatMap((campaign) => shownThen(of, campaign) ?? [])
    .filter(({ labels }) => label === null || labels.includes(label))
  const data = all.slice(0, limit)
  return { data, next: all.length > limit ? (data.at(-1)?.id ?? null) : null }
}

const isTried = ({ request }: Account) => request.query.get('validate_only') === 'true'

const keepsOld = ({ network, account }: Account) =>
  network.faults.hit('keep_old', { isWrite: true, account: account.id }) !== undefined

function create(of: Account) {
  const { network, account } = of
  const values = changed(null, objectOf(of.request.body), account)
  if (isTried(of)) return {}
  const campaign = addCampaign(network.state, account, values)
  return campaignShown(of, campaign, newest(campaign))
}

function change(of: Account, campaign: SimCampaign) {
  const { network, account, request } = of
  const { revision: given, ...changes } = objectOf(request.body)
  const { values, revision } = newest(campaign)
  const isHit = network.faults.hit('concurrent', { isWrite: true, account: account.id })
  if (isHit || (given !== undefined && given !== revision))
    throw new Refusal(409, 'concurrent_modification', 'the campaign has changed meanwhile')
  const next = changed(values, changes, account)
  if (isTried(of)) return {}
  if (keepsOld(of)) return campaignShown(of, campaign, { at: 0, revision, values: next })
  countUp(network.state, account, campaign)
  setValues(network.state, campaign, next)
  return campaignShown(of, campaign, newest(campaign))
}

const isDay = /^\d{4}-\d\d-\d\d$/

function report({ network, account, request: { query } }: Account) {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  if (!isDay.test(from) || !isDay.test(to))
    throw new Refusal(400, 'invalid_value', 'from and to must be days', { field: 'from' })
  const ids = query.get('ids')?.split(',') ?? []
  const campaigns = ids.flatMap((id) => account.campaigns.get(id) ?? [])
  for (const campaign of campaigns) countUp(network.state, account, campaign)
  const today = wallOf(nowIn(network.state), account.time_zone).date
  return { data: campaigns.flatMap((campaign) => reportOf(campaign, { from, to, today })) }
}
