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
  'Maximum cost of a campaign per day, by currency, in major units. The cost is the daily budget. Without one it is the lifetime budget spread evenly over the remaining delivery time (the schedule’s hours, if there is one), on the day with the largest share, rounded up; without an end, the whole lifetime budget. Unlisted currencies have no cap.'
const lifetimeText =
  'Maximum lifetime budget of a campaign, by currency, in major units. Unlisted currencies have no cap; campaigns without a lifetime budget are not limited by it.'
const amountsText =
  'For the mode `above`, by currency, in major units: the largest daily budget, or lifetime budget if there is no daily one, that needs no approval. Unlisted currencies need no approval.'

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
    'Whether campaigns may use currencies listed in neither `max_daily_budget` nor `max_lifetime_budget`.',
})

const mode = choice(approvalModes, {
  description:
    '`above`: campaigns need approval if their daily budget, or their lifetime budget without a daily one, exceeds `amounts`.',
})

const ApproverRoles = Type.Array(choice(approverRoles), {
  minItems: 1,
  maxItems: approverRoles.length,
  uniqueItems: true,
  description: 'Who may approve and reject.',
})

const MaxIncrease = percent(
  'Maximum percentage by which one change may raise the budget of a scheduled, active or paused campaign: its daily budget (or lifetime budget without a daily one), and its cost per day as defined by `max_daily_budget`.',
)
const MaxDayIncrease = percent(
  'The same, compared with 24 hours ago, or with the launch if that was later.',
)

export const Guardrails = Type.Object(
  {
    id: idOf('organization', 'The organization.'),
    max_daily_budget: AmountsOut(capText),
    max_lifetime_budget: AmountsOut(lifetimeText),
    unlisted_currencies: UnlistedCurrencies,
    max_increase_percent: MaxIncrease,
    max_increase_percent_24h: MaxDayIncrease,
    approval: Type.Object({ mode, amounts: AmountsOut(amountsText) }),
    approver_roles: ApproverRoles,
    version: Version,
    updated_at: orNull(Time),
    updated_by: orNull(Type.String({ description: 'Id of the user who last changed them.' })),
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
