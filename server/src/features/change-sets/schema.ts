import { Type } from 'typebox'
import { StaleOperation } from '../../problems/members.ts'
import { ItemProblem } from '../../problems/schema.ts'
import {
  bodyOf,
  choice,
  idOf,
  minorUnits,
  nameBeside,
  nameLike,
  oneLine,
  orNull,
  pageOfSchema,
  stamps,
  text,
  time,
  Version,
} from '../../schema/fields.ts'
import { approverRoles } from '../guardrails/rules.ts'
import { changeSetIds } from './resource.ts'
import { actions, blockReasons, statuses } from './status.ts'

export const modes = ['atomic', 'partial'] as const
export type Mode = (typeof modes)[number]
export const sourceKinds = ['console', 'cli', 'agent', 'api'] as const
export const reasonsForApproval = ['always', 'raises', 'campaign'] as const
export type ReasonForApproval = (typeof reasonsForApproval)[number]

const Title = nameLike('Weekend sale', 'What it is about, stored trimmed.')

const Description = Type.String({ maxLength: 2_000, description: 'Why, for those who review it.' })

const ModeSchema = choice(modes, {
  title: 'ChangeSetMode',
  description: 'atomic: all operations or none. partial: every operation that succeeds is applied.',
})

const source = {
  kind: choice(sourceKinds, { description: 'What it was made with.' }),
}

const reference = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: oneLine,
  description: 'Your own reference, such as a ticket.',
})

const maxHours = 168
export const defaultHours = 72

const times = {
  apply_at: orNull(time('When the clock applies it, up to 90 days ahead; null: on request only.')),
  revert_at: orNull(
    time('When the clock sets back what it changed, after `apply_at`; null: never.'),
  ),
}

/** Without `operations`, which have a file of their own. */
export const changeSetFields = {
  title: Title,
  description: Type.Optional(orNull(Description)),
  source: Type.Optional(
    bodyOf(
      { ...source, reference: Type.Optional(orNull(reference)) },
      { title: 'ChangeSetSourceInput', description: 'Default: the API.' },
    ),
  ),
  mode: Type.Optional(ModeSchema),
  expires_in_hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxHours,
      description: `After how many hours it expires. Default: ${defaultHours}. With \`apply_at\` it expires an hour after that.`,
    }),
  ),
  apply_at: Type.Optional(times.apply_at),
  revert_at: Type.Optional(times.revert_at),
}

export const ChangeSetChanges = bodyOf(
  {
    title: Type.Optional(Title),
    description: Type.Optional(orNull(Description)),
    apply_at: Type.Optional(times.apply_at),
    revert_at: Type.Optional(times.revert_at),
  },
  { title: 'ChangeSetChanges', description: 'The fields to change; others stay as they are.' },
)
export type ChangeSetChanges = Type.Static<typeof ChangeSetChanges>

export const ApproveBody = bodyOf(
  {
    version: Type.Optional({
      ...Version,
      description: 'The version that was reviewed, where `If-Match` is not sent.',
    }),
  },
  { title: 'ChangeSetApproval' },
)
export type ApproveBody = Type.Static<typeof ApproveBody>

const count = (description: string) => Type.Integer({ description })

const Summary = Type.Object(
  {
    create: count('Creations.'),
    update: count('Updates.'),
    action: count('Actions.'),
    delete: count('Deletions.'),
    unchanged: count('Operations without an effect.'),
    failed: count('Operations that fail.'),
  },
  { title: 'ChangeSetSummary', description: 'How many operations do what; each counts once.' },
)

const SpendDelta = Type.Object(
  {
    currency: text('ISO 4217 code.'),
    currency_exponent: Type.Integer({ description: 'Decimals of the currency.' }),
    daily_before_minor: minorUnits('Daily budgets before.'),
    daily_after_minor: minorUnits('Daily budgets after.'),
    lifetime_before_minor: minorUnits('Lifetime budgets before.'),
    lifetime_after_minor: minorUnits('Lifetime budgets after.'),
  },
  { title: 'SpendDelta', description: 'Sums over scheduled and active campaigns of it.' },
)

const Approval = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether it needs an approval.' }),
    approver_roles: Type.Array(choice(approverRoles), {
      description: 'Who may approve and reject.',
    }),
    reasons: Type.Array(choice(reasonsForApproval), {
      description:
        'Why: `always` and `raises` by the guardrails of change sets, `campaign` where a campaign would need one alone.',
    }),
  },
  { title: 'ChangeSetApprovalState', description: 'The approval that it needs.' },
)

const AvailableAction = Type.Object(
  {
    action: choice(actions, { description: 'The action.' }),
    allowed: Type.Boolean({ description: 'Whether it may be taken now.' }),
    blocked_by: Type.Array(choice(blockReasons), { description: 'Why not.' }),
  },
  { title: 'ChangeSetAction' },
)

const Failure = Type.Object(
  {
    index: Type.Integer({ description: 'Position of the operation.' }),
    problem: ItemProblem('Why it fails.'),
  },
  { title: 'ChangeSetFailure', description: 'An operation that fails.' },
)
export type Failure = Type.Static<typeof Failure>

const who = (description: string) => orNull(text(`${description} Id of a user or API key.`))
const when = (description: string) => orNull(time(description))

export const ChangeSet = Type.Object(
  {
    id: idOf(changeSetIds, 'Change set identifier.'),
    title: text('What it is about.'),
    description: orNull(text('Why.')),
    source: Type.Object(
      { ...source, reference: orNull(text('Your own reference.')) },
      { title: 'ChangeSetSource', description: 'What it was made with.' },
    ),
    mode: ModeSchema,
    status: choice(statuses, {
      title: 'ChangeSetStatus',
      description: 'scheduled: waits for `apply_at`.',
    }),
    operation_count: Type.Integer({ description: 'Number of operations.' }),
    summary: Summary,
    spend_delta: Type.Array(SpendDelta, { description: 'By currency; empty if none runs.' }),
    approval: Approval,
    applicable: Type.Boolean({
      description: 'Whether its operations can be applied, as far as the last trial found.',
    }),
    failures: Type.Optional(
      Type.Array(Failure, {
        description:
          'The first 50 operations that fail, in the answer to a trial (also with `validate_only=true`); absent elsewhere, and where none fails.',
      }),
    ),
    stale: Type.Array(StaleOperation, {
      description: 'What has moved since the trial, judged anew with each read.',
    }),
    tried_at: time('When it was last tried out.'),
    expires_at: time('Until when it may be applied.'),
    ...times,
    approved_by: who('Who approved it.'),
    approved_by_name: nameBeside('approved_by'),
    approved_at: when('When it was approved.'),
    rejected_by: who('Who rejected it.'),
    rejected_by_name: nameBeside('rejected_by'),
    rejected_reason: orNull(text('Why it was rejected.')),
    applied_by: who('Who applied it; by the clock: whose rights it used.'),
    applied_by_name: nameBeside('applied_by'),
    applied_at: when('When it was applied.'),
    reverted_at: when('When it was set back.'),
    failure: orNull(
      Type.Object(
        { code: text('Code of the problem.'), detail: text('What went wrong.') },
        { description: 'Why the clock could not apply it, or left something when it set it back.' },
      ),
    ),
    available_actions: Type.Array(AvailableAction, { description: 'What may be done with it.' }),
    ...stamps,
  },
  { title: 'ChangeSet', description: 'Proposed changes.' },
)
export type ChangeSet = Type.Static<typeof ChangeSet>

export const ChangeSetList = pageOfSchema(ChangeSet)
