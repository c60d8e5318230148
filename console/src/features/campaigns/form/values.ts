import { mapValues } from '../../../data/objects.ts'
import { doubtsOf, typedDecimal, typedMinor } from '../../../data/typed.ts'
import type { Window } from '../../../data/values/week.ts'
import type { Campaign, Template } from '../../../flightdeck.ts'
import type { TypedTarget } from '../target/target-field.tsx'

/** A field of the form: its name, its value where there is none, and that of a campaign. */
const field = <Value>(name: string, none: Value, of: (campaign: Campaign) => Value) => ({
  name,
  none,
  of,
})

/** The fields of a campaign's form. Amounts are as they are typed; null is nothing. */
const fields = {
  template_id: field<string | null>('Template', null, (campaign) => campaign.template_id),
  name: field('Name', '', (campaign) => campaign.name),
  objective: field<string | null>('Objective', null, (campaign) => campaign.objective),
  profile_id: field<string | null>('Profile', null, (campaign) => campaign.profile_id),
  daily_budget: field('Daily budget', null, (campaign) =>
    amountOf(campaign.daily_budget_minor, campaign),
  ),
  lifetime_budget: field('Lifetime budget', null, (campaign) =>
    amountOf(campaign.lifetime_budget_minor, campaign),
  ),
  currency: field<string | null>('Currency', null, (campaign) => campaign.currency),
  start_at: field('Start', null, (campaign) => campaign.start_at),
  end_at: field('End', null, (campaign) => campaign.end_at),
  time_zone: field<string | null>('Time zone', null, (campaign) => campaign.time_zone),
  schedule: field<readonly Window[]>('Week schedule', [], ({ schedule }) => windowsIn(schedule)),
  external_id: field('External id', null, (campaign) => campaign.external_id),
  labels: field<readonly string[]>('Labels', [], (campaign) => campaign.labels),
  metadata: field<Readonly<Record<string, string>>>('Metadata', {}, ({ metadata }) => metadata),
  notes: field('Notes', null, (campaign) => campaign.notes),
  target: field<TypedTarget | null>('Target', null, (campaign) => campaign.target),
}

type Fields = typeof fields

export type CampaignValues = { [Name in keyof Fields]: ReturnType<Fields[Name]['of']> }

export const fieldNames = mapValues<Fields, Record<keyof Fields, string>>(
  fields,
  (each) => each.name,
)

export const noValues = mapValues<Fields, CampaignValues>(fields, ({ none }) => none)

export const valuesOf = (campaign: Campaign) =>
  mapValues<Fields, CampaignValues>(fields, ({ of }) => of(campaign))

function amountOf(minor: number | null, { currency_exponent }: Campaign): string | null {
  return minor === null ? null : typedMinor(minor, currency_exponent)
}

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

const budgets = ['daily_budget', 'lifetime_budget'] as const

/** How the amounts of a form are sent. */
export const amountsIn = ({ currency }: Pick<CampaignValues, 'currency'>) => ({
  money: budgets,
  currency,
})

/** The amounts that read two ways. */
export const doubtsIn = ({ daily_budget, lifetime_budget, currency }: CampaignValues) =>
  doubtsOf({ '/daily_budget': daily_budget, '/lifetime_budget': lifetime_budget }, currency)
