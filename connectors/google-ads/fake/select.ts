import { wallClock } from './clock.ts'
import { meets, parse, type Query } from './gaql.ts'
import { checkMessage, isObject, type Json } from './json.ts'
import { camelOf, typeOf } from './protos.ts'
import { type Account, type Held, textOf } from './state.ts'

/** Answers queries: rows of resources joined to those beside them, with the members that were asked for. */

export type Asking = { account: Account; held: Held; now: number }

const perPart = 10_000

/** The parts of a stream. What is not in the definition cannot be answered. */
export function answerQuery(text: string, asking: Asking): Json[] {
  const query = parse(text)
  const rows = rowsOf(query, asking)
    .filter((row) => query.where.every((each) => meets(textAt(row, each.field), each)))
    .map((row) => selected(query, row))
  const parts: Json[] = []
  for (let at = 0; at === 0 || at < rows.length; at += perPart)
    parts.push({
      results: rows.slice(at, at + perPart),
      fieldMask: query.select.map(pathOf).join(','),
    })
  const type = typeOf('services.SearchGoogleAdsStreamResponse')
  for (const part of parts) checkMessage(type, part)
  return parts
}

const pathOf = (name: string): string => name.split('.').map(camelOf).join('.')

function valueAt(row: Json, name: string): unknown {
  return name
    .split('.')
    .map(camelOf)
    .reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), row)
}

const textAt = (row: Json, name: string): string => String(valueAt(row, name) ?? '')

/** Members with a value; resource names come unasked. */
function selected({ select }: Query, row: Json): Json {
  const out: Json = {}
  for (const name of select) {
    const parts = name.split('.').map(camelOf)
    const value = valueAt(row, name)
    const [root = ''] = parts
    const resource = row[root]
    const own = isObject(resource) ? resource.resourceName : undefined
    if (own !== undefined) put(out, [root, 'resourceName'], own)
    if (value !== undefined) put(out, parts, value)
  }
  return out
}

function put(out: Json, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    out[first] = value
    return
  }
  const inner = out[first]
  const next: Json = isObject(inner) ? inner : {}
  out[first] = next
  put(next, rest, value)
}

function rowsOf({ from, select, where }: Query, asking: Asking): Json[] {
  const { account, held } = asking
  const customer = customerOf(account)
  const campaignAt = (name: string) => campaignRow(asking, held.campaign.get(name))
  switch (from) {
    case 'customer':
      return [{ customer }]
    case 'campaign': {
      const rows = [...held.campaign.values()].map((each) => ({
        ...campaignRow(asking, each),
        customer,
      }))
      const isOfDays = [...select, ...where.map(({ field }) => field)].some((name) =>
        /^(?:metrics|segments)\./.test(name),
      )
      return isOfDays ? rows.flatMap((row) => dailyRows(account, row)) : rows
    }
    case 'campaign_criterion':
      return [...held.campaignCriterion.values()].map((each) => ({
        ...campaignAt(textOf(each, 'campaign')),
        ...{ campaignCriterion: each, customer },
      }))
    case 'campaign_label':
      return [...held.campaignLabel.values()].map((each) => ({
        ...campaignAt(textOf(each, 'campaign')),
        ...{ campaignLabel: each, customer },
        label: held.label.get(textOf(each, 'label')),
      }))
    case 'conversion_action':
      return account.conversionActions.map((conversionAction) => ({ conversionAction, customer }))
    case 'label':
      return [...held.label.values()].map((label) => ({ label, customer }))
    default:
      return [{ currencyConstant: currencyOf(account) }]
  }
}

const currencyOf = ({ currency: code, billableUnitMicros }: Account): Json => ({
  ...{ resourceName: `currencyConstants/${code}`, code, billableUnitMicros },
})

const customerOf = (account: Account): Json => ({
  resourceName: `customers/${account.id}`,
  id: account.id,
  descriptiveName: account.name,
  currencyCode: account.currency,
  timeZone: account.timeZone,
  status: account.status,
  testAccount: account.isTest,
  containsEuPoliticalAdvertising: account.declaration,
})

const strategies: Readonly<Record<string, string>> = {
  biddingStrategy: 'TARGET_ROAS',
  manualCpc: 'MANUAL_CPC',
  manualCpm: 'MANUAL_CPM',
  manualCpv: 'MANUAL_CPV',
  maximizeConversions: 'MAXIMIZE_CONVERSIONS',
  maximizeConversionValue: 'MAXIMIZE_CONVERSION_VALUE',
  targetSpend: 'TARGET_SPEND',
}

function campaignRow({ account, held, now }: Asking, campaign: Json | undefined): Json {
  if (!campaign) return {}
  const bidding = Object.keys(strategies).find((name) => campaign[name] !== undefined)
  return {
    campaign: {
      experimentType: 'BASE',
      ...campaign,
      ...(bidding && { biddingStrategyType: strategies[bidding] }),
      missingEuPoliticalAdvertisingDeclaration:
        textOf(campaign, 'containsEuPoliticalAdvertising') === '',
      ...(account.delivery.get(textOf(campaign, 'id')) ?? deliveryOf(campaign, account, now)),
    },
    campaignBudget: held.campaignBudget.get(textOf(campaign, 'campaignBudget')),
  }
}

function deliveryOf(campaign: Json, { timeZone }: Account, now: number) {
  const clock = wallClock(now, timeZone)
  const judged = (primaryStatus: string, reason: string) => ({
    ...{ primaryStatus, primaryStatusReasons: [reason] },
  })
  const end = textOf(campaign, 'endDateTime')
  if (campaign.status === 'REMOVED') return judged('REMOVED', 'CAMPAIGN_REMOVED')
  if (end !== '' && end < clock) return judged('ENDED', 'CAMPAIGN_ENDED')
  if (campaign.status === 'PAUSED') return judged('PAUSED', 'CAMPAIGN_PAUSED')
  if (textOf(campaign, 'startDateTime') > clock) return judged('PENDING', 'CAMPAIGN_PENDING')
  return judged('NOT_ELIGIBLE', 'NO_AD_GROUPS')
}

/** A row for each day with figures. */
const dailyRows = ({ metrics }: Account, row: Json): Json[] => {
  const { campaign } = row
  const id = isObject(campaign) ? textOf(campaign, 'id') : ''
  return [...metrics]
    .filter(([key]) => key.startsWith(`${id} `))
    .map(([key, figures]) => ({ ...row, metrics: figures, segments: { date: key.split(' ')[1] } }))
}
