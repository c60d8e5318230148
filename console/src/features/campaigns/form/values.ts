import type { Body } from '@flightdeckhq/sdk'
import { decimalIn, doubtsOf, typedDecimal, typedMinor } from '../../../data/typed.ts'
import type { Window } from '../../../data/values/week.ts'
import type { Campaign, Template } from '../../../flightdeck.ts'

/** The values of a campaign's form. Amounts are as they are typed; null is nothing. */
export type CampaignValues = {
  template_id: string | null
  name: string
  objective: string | null
  profile_id: string | null
  daily_budget: string | null
  lifetime_budget: string | null
  currency: string | null
  start_at: string | null
  end_at: string | null
  time_zone: string | null
  schedule: readonly Window[]
  external_id: string | null
  labels: readonly string[]
  metadata: Readonly<Record<string, string>>
  notes: string | null
}

export const noValues: CampaignValues = {
  template_id: null,
  name: '',
  objective: null,
  profile_id: null,
  daily_budget: null,
  lifetime_budget: null,
  currency: null,
  start_at: null,
  end_at: null,
  time_zone: null,
  schedule: [],
  external_id: null,
  labels: [],
  metadata: {},
  notes: null,
}

export const fieldNames: Readonly<Record<keyof CampaignValues, string>> = {
  template_id: 'Template',
  name: 'Name',
  objective: 'Objective',
  profile_id: 'Profile',
  daily_budget: 'Daily budget',
  lifetime_budget: 'Lifetime budget',
  currency: 'Currency',
  start_at: 'Start',
  end_at: 'End',
  time_zone: 'Time zone',
  schedule: 'Week schedule',
  external_id: 'External id',
  labels: 'Labels',
  metadata: 'Metadata',
  notes: 'Notes',
}

export const valuesOf = (campaign: Campaign): CampaignValues => ({
  template_id: campaign.template_id,
  name: campaign.name,
  objective: campaign.objective,
  profile_id: campaign.profile_id,
  daily_budget: amountOf(campaign.daily_budget_minor, campaign),
  lifetime_budget: amountOf(campaign.lifetime_budget_minor, campaign),
  currency: campaign.currency,
  start_at: campaign.start_at,
  end_at: campaign.end_at,
  time_zone: campaign.time_zone,
  schedule: windowsIn(campaign.schedule),
  external_id: campaign.external_id,
  labels: campaign.labels,
  metadata: campaign.metadata,
  notes: campaign.notes,
})

const amountOf = (minor: number | null, { currency_exponent }: Campaign) =>
  minor === null ? null : typedMinor(minor, currency_exponent)

/** The types of answers leave room for what a newer service may add. */
const windowsIn = (schedule: Campaign['schedule']) => schedule as readonly Window[]

/** A copy is another campaign: it has no external id and no template. */
export const valuesOfCopy = (campaign: Campaign): CampaignValues => ({
  ...valuesOf(campaign),
  name: `${campaign.name} (copy)`,
  template_id: null,
  external_id: null,
})

/** The values that a campaign has from its template, unless others are given. */
export function valuesOfTemplate({ id, defaults }: Template): CampaignValues {
  const { daily_budget, lifetime_budget, schedule, ...rest } = defaults
  const { currency = null } = rest
  const typed = (amount: number | undefined) =>
    amount === undefined ? null : typedDecimal(`${amount}`, currency)
  return {
    ...noValues,
    ...rest,
    template_id: id,
    daily_budget: typed(daily_budget),
    lifetime_budget: typed(lifetime_budget),
    schedule: windowsIn(schedule ?? []),
  }
}

const budgetFields = ['daily_budget', 'lifetime_budget'] as const

/** As the API takes it; only what was changed. */
export function bodyOf(
  changes: Partial<CampaignValues>,
  currency: string | null,
): Body<'updateCampaign'> {
  const budgets = budgetFields.flatMap((field) => {
    const typed = changes[field]
    return typeof typed === 'string' ? [[field, decimalIn(typed, currency)]] : []
  })
  return { ...changes, ...Object.fromEntries(budgets) } as Body<'updateCampaign'>
}

/** The amounts that read two ways. */
export const doubtsIn = ({ daily_budget, lifetime_budget, currency }: CampaignValues) =>
  doubtsOf({ '/daily_budget': daily_budget, '/lifetime_budget': lifetime_budget }, currency)
