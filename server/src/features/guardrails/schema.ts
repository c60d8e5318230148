import { Type } from 'typebox'
import { AmountsIn, AmountsOut } from '../../schema/amounts.ts'
import {
  choice,
  idOf,
  nameBeside,
  orNull,
  readOnlyOf,
  settingsOf,
  text,
  time,
  Version,
} from '../../schema/fields.ts'
import { organizationIds } from '../../values/core-ids.ts'
import {
  approvalModes,
  approverRoles,
  changeSetApprovals,
  changeSetWriters,
  percentDecimals,
  stopScopes,
  unlistedModes,
} from './rules.ts'

const capText =
  'Maximum cost of a campaign per day, by currency, in major units. The cost is the daily budget. Without one it is the lifetime budget spread evenly over the remaining delivery time (the schedule’s hours, if there is one), on the day with the largest share, rounded up; without an end, the whole lifetime budget. Unlisted currencies have no cap.'
const lifetimeText =
  'Maximum lifetime budget of a campaign, by currency, in major units. Unlisted currencies have no cap; campaigns without a lifetime budget are not limited by it.'
const amountsText =
  'For the mode `above`, by currency, in major units: the largest daily budget, or lifetime budget if there is no daily one, that needs no approval. Unlisted currencies need no approval.'

const percent = (description: string) =>
  orNull(
    Type.Number({
      minimum: 0,
      maximum: 100_000,
      description: `${description} At most ${percentDecimals} decimals.`,
    }),
  )

const UnlistedCurrencies = choice(unlistedModes, {
  title: 'UnlistedCurrencies',
  description:
    'Whether campaigns may use currencies listed in neither `max_daily_budget` nor `max_lifetime_budget`.',
})

const mode = choice(approvalModes, {
  title: 'ApprovalMode',
  description:
    '`above`: campaigns need approval if their daily budget, or their lifetime budget without a daily one, exceeds `amounts`.',
})

const ApproverRoles = Type.Array(choice(approverRoles, { title: 'ApproverRole' }), {
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

const StopAt = orNull(
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 1000,
    description:
      'Pauses a campaign once this share of its lifetime budget, of its profile’s `monthly_spend_cap`, or of its client’s month is spent, as `stop_scopes` says; null: only the last two, in full. At most 2 decimals.',
  }),
)

const StopScopes = Type.Array(choice(stopScopes, { title: 'StopScope' }), {
  maxItems: stopScopes.length,
  uniqueItems: true,
  description:
    'Whose spending pauses campaigns: their own against the lifetime budget, their profile’s against its `monthly_spend_cap`, their client’s in a month against its budget in their currency. Default: the first two.',
})

const bound = (description: string) => Type.Integer({ minimum: 1, maximum: 1000, description })

const bounds = {
  under_percent: bound('Below: `under`.'),
  over_percent: bound('Above: `over`.'),
  critical_percent: bound('Above: `critical`.'),
}

const boundsOptions = { description: 'Bounds of the status of pacing, in percent.' }

const PerformanceBound = Type.Integer({
  minimum: 1,
  maximum: 90,
  description:
    'How much worse than its target a campaign may be before it is `off_target`, in percent.',
})

const approvalOptions = { description: 'Which campaigns need an approval before they run.' }

const changeSets = {
  approval: choice(changeSetApprovals, {
    title: 'ChangeSetApprovalMode',
    description:
      'Which change sets need an approval: `raises`, where they raise what scheduled and active campaigns cost per day (as `max_daily_budget` has it) by more than `raises_above`.',
  }),
  required_for: Type.Array(choice(changeSetWriters, { title: 'ChangeSetWriter' }), {
    maxItems: changeSetWriters.length,
    uniqueItems: true,
    description:
      'Who makes a day dearer (budgets, starts, ends, schedules, caps of profiles and the zone of a monthly one), starts campaigns and deletes launched ones by change sets only; otherwise 409 `change_set_required`. Pausing, lowering and drafts stay free. API keys (`api_key`) also delete drafts and raise their budgets so; people (`member`) may approve what was submitted to them.',
  }),
}

const raisesText =
  'By currency, in major units: the largest rise that needs no approval. Unlisted currencies: none.'

const changeSetOptions = { description: 'How change sets are approved, and who has to use them.' }

export const Guardrails = Type.Object(
  {
    id: idOf(organizationIds, 'The organization.'),
    max_daily_budget: AmountsOut('Maximum cost of a campaign per day, by currency.'),
    max_lifetime_budget: AmountsOut('Maximum lifetime budget of a campaign, by currency.'),
    unlisted_currencies: UnlistedCurrencies,
    max_increase_percent: MaxIncrease,
    max_increase_percent_24h: MaxDayIncrease,
    approval: Type.Object(
      { mode, amounts: AmountsOut('The largest budget that needs no approval, by currency.') },
      approvalOptions,
    ),
    approver_roles: ApproverRoles,
    change_sets: Type.Object(
      { ...changeSets, raises_above: AmountsOut(raisesText) },
      changeSetOptions,
    ),
    stop_at_percent: StopAt,
    stop_scopes: StopScopes,
    pacing: Type.Object(bounds, boundsOptions),
    performance_bound: PerformanceBound,
    version: Version,
    updated_at: orNull(time('When they were last changed.')),
    updated_by: orNull(text('Id of the user or API key that last changed them.')),
    updated_by_name: nameBeside('updated_by'),
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
      { ...approvalOptions, additionalProperties: false },
    ),
  ),
  approver_roles: orNull(ApproverRoles),
  change_sets: orNull(
    Type.Object(
      {
        approval: Type.Optional(changeSets.approval),
        raises_above: Type.Optional(AmountsIn(raisesText)),
        required_for: Type.Optional(changeSets.required_for),
      },
      { ...changeSetOptions, additionalProperties: false },
    ),
  ),
  stop_at_percent: StopAt,
  stop_scopes: orNull(StopScopes),
  pacing: orNull(
    Type.Partial(Type.Object(bounds), { ...boundsOptions, additionalProperties: false }),
  ),
  performance_bound: orNull(PerformanceBound),
}

export const guardrailsReadOnly = readOnlyOf(Guardrails, fields)

export const GuardrailsChanges = settingsOf(fields, guardrailsReadOnly, 'GuardrailsChanges')
export type GuardrailsChanges = Type.Static<typeof GuardrailsChanges>
