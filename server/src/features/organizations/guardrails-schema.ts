import { Type } from 'typebox'
import { approvalModes, approverRoles, percentDecimals } from '../../kernel/guardrails.ts'
import type { MoneyInput } from '../../kernel/money.ts'
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
} from '../../kernel/shapes.ts'

const byCurrency = {
  type: 'object',
  maxProperties: 200,
  propertyNames: { pattern: '^[A-Z]{3}$' },
  examples: [{ USD: 1000 }],
}

const capText =
  'The most that a campaign may have as its daily budget, by currency, in major units. A currency that is not named has no cap.'
const amountsText =
  'For the mode `above`, by currency, in major units: what may be spent in a day without an approval. A currency that is not named needs none.'

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

const mode = choice(approvalModes, {
  description: '`above`: of campaigns that may spend more in a day than `amounts` says.',
})

const ApproverRoles = Type.Array(choice(approverRoles), {
  minItems: 1,
  maxItems: approverRoles.length,
  uniqueItems: true,
  description: 'Who may approve and reject.',
})

const MaxIncrease = percent(
  'By how many percent one change may raise what a campaign that is scheduled, active or paused may spend in a day: its daily budget, or without one its lifetime budget.',
)
const MaxDayIncrease = percent(
  'The same, against the amount of 24 hours ago, or of the launch where that was later.',
)

export const Guardrails = Type.Object(
  {
    id: idOf('organization', 'The organization that they are of.'),
    max_daily_budget: AmountsOut(capText),
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
