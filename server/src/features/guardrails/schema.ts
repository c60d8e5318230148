import { Type } from 'typebox'
import {
  changesOf,
  choice,
  idOf,
  MoneyIn,
  MoneyOut,
  orNull,
  readOnlyOf,
  Time,
  Version,
} from '../../schema/fields.ts'
import type { MoneyInput } from '../../values/money.ts'
import { approvalModes, approverRoles, percentDecimals, unlistedModes } from './rules.ts'

const byCurrency = {
  type: 'object',
  maxProperties: 200,
  propertyNames: { pattern: '^[A-Z]{3}$' },
  examples: [{ USD: 1000 }],
}

const capText =
  'The most that a campaign may cost in a day, by currency, in major units: its daily budget, or without one its lifetime budget, spread evenly over the time in which it may deliver until its end (over the schedule’s hours, where it has one), for the day with the most of it, rounded up; all of it where it has no end. Time that is past does not count. A currency that is not named has no cap.'
const lifetimeText =
  'The most that a campaign may have as its lifetime budget, by currency, in major units. A currency that is not named has no cap, nor has a campaign without a lifetime budget.'
const amountsText =
  'For the mode `above`, by currency, in major units: what a campaign may have as its daily budget, or without one as its lifetime budget, without an approval. A currency that is not named needs none.'

const AmountsOut = (description: string) =>
  Type.Unsafe<Record<string, number>>({
    ...byCurrency,
    additionalProperties: MoneyOut,
    description,
  })

const AmountsIn = (description: string) =>
  Type.Unsafe<Record<string, MoneyInput>>({
    ...byCurrency,
    additionalProperties: MoneyIn,
    description,
  })

const percent = (description: string) =>
  orNull(
    Type.Number({
      minimum: 0,
      maximum: 100_000,
      description: `${description} At most ${percentDecimals} decimals.`,
    }),
  )

const UnlistedCurrencies = choice(unlistedModes, {
  description:
    'Whether campaigns may have a currency that neither `max_daily_budget` nor `max_lifetime_budget` names.',
})

const mode = choice(approvalModes, {
  description:
    '`above`: of campaigns with more than `amounts` says, as their daily budget, or without one as their lifetime budget.',
})

const ApproverRoles = Type.Array(choice(approverRoles), {
  minItems: 1,
  maxItems: approverRoles.length,
  uniqueItems: true,
  description: 'Who may approve and reject.',
})

const MaxIncrease = percent(
  'By how many percent one change may raise a campaign that is scheduled, active or paused: its daily budget, or without one its lifetime budget; and what it may cost in a day, as `max_daily_budget` counts it.',
)
const MaxDayIncrease = percent(
  'The same, against the amount of 24 hours ago, or of the launch where that was later.',
)

export const Guardrails = Type.Object(
  {
    id: idOf('organization', 'The organization that they are of.'),
    max_daily_budget: AmountsOut(capText),
    max_lifetime_budget: AmountsOut(lifetimeText),
    unlisted_currencies: UnlistedCurrencies,
    max_increase_percent: MaxIncrease,
    max_increase_percent_24h: MaxDayIncrease,
    approval: Type.Object({ mode, amounts: AmountsOut(amountsText) }),
    approver_roles: ApproverRoles,
    version: Version,
    updated_at: orNull(Time),
    updated_by: orNull(Type.String({ description: 'Id of the user who changed them last.' })),
  },
  { title: 'Guardrails' },
)
export type Guardrails = Type.Static<typeof Guardrails>

const fields = {
  max_daily_budget: orNull(AmountsIn(capText)),
  max_lifetime_budget: orNull(AmountsIn(lifetimeText)),
  unlisted_currencies: orNull(UnlistedCurrencies),
  max_increase_percent: MaxIncrease,
  max_increase_percent_24h: MaxDayIncrease,
  approval: orNull(
    Type.Object(
      { mode: Type.Optional(mode), amounts: Type.Optional(AmountsIn(amountsText)) },
      { additionalProperties: false },
    ),
  ),
  approver_roles: orNull(ApproverRoles),
}

export const guardrailsReadOnly = readOnlyOf(Guardrails, fields)

export const GuardrailsChanges = changesOf(fields, guardrailsReadOnly, 'GuardrailsChanges')
export type GuardrailsChanges = Type.Static<typeof GuardrailsChanges>
