import { sql } from 'kysely'
import type { Changed } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { adjustQuota, checkCap } from '../../kernel/quotas.ts'
import {
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  remove,
  update,
} from '../../kernel/rows.ts'
import { conflict, type Fault, fault, invalid } from '../../problems/problem.ts'
import { anyOf, commonFilters, contains, hasAny } from '../../query/filters.ts'
import { joinedPageOf, type ListShape, type Page, type Query } from '../../query/list.ts'
import { changedFields, changedReadOnly } from '../../schema/changed-fields.ts'
import { newId } from '../../values/ids.ts'
import { approvedExactly, isCovered } from './approval.ts'
import { changeCampaign } from './change-campaign.ts'
import { isRunning } from './guardrail-rules.ts'
import { checkBudget } from './guardrails.ts'
import { editableIn } from './lifecycle/editable.ts'
import { deletableIn, statuses } from './lifecycle/transitions.ts'
import { warned } from './lifecycle/warnings.ts'
import {
  type CampaignDraft,
  draftFromRow,
  type NormalizedCampaign,
  normalize,
} from './normalize.ts'
import { objectiveOf, objectives } from './objectives.ts'
import { type Details, factsOf, momentOf, toCampaign } from './present.ts'
import { factColumns, profileFacts, type RunFacts, withFacts } from './profile-facts.ts'
import { beyondApproved } from './refusals.ts'
import { columnsOfMarks, planOf } from './review.ts'
import {
  type Campaign,
  type CampaignChanges,
  type CampaignInput,
  readOnlyFields,
} from './schema.ts'
import { lockedFaults, type TemplateFacts, withTemplate } from './template.ts'

const archivedFilter = {
  schema: { type: 'boolean', default: false, description: 'Include archived campaigns.' },
  read: () => ({ condition: sql<boolean>`true` }),
}

export const campaignList: ListShape<'campaigns'> = {
  table: 'campaigns',
  filters: {
    q: contains('name'),
    status: anyOf('status', statuses),
    objective: anyOf('objective', objectives, (name) => objectiveOf(name) ?? name),
    profile_id: anyOf('profile_id'),
    template_id: anyOf('template_id'),
    currency: anyOf('currency'),
    label: hasAny('labels'),
    external_id: anyOf('external_id'),
    include_archived: archivedFilter,
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', 'name'],
  wide: ['notes', 'labels', 'metadata', 'schedule'],
  standing: ({ status, include_archived }) =>
    status === undefined && include_archived !== 'true'
      ? sql<boolean>`status <> 'archived'`
      : undefined,
}

export function listCampaigns(ctx: Context, query: Query): Promise<Page<Campaign>> {
  const moment = momentOf(ctx)
  return joinedPageOf(ctx, {
    list: campaignList,
    query,
    presentAll: async (rows) => (await withFacts(ctx, rows)).map((row) => toCampaign(row, moment)),
  })
}

export async function getCampaign(ctx: Context, id: string): Promise<Campaign> {
  return toCampaign(await oneOf(ctx, 'campaign_details', id), momentOf(ctx))
}

export const createCampaign = (ctx: Context, input: CampaignInput): Promise<Campaign> =>
  changeCampaign(ctx, 'campaign.created', async (ctx) => {
    const checked = checkCap(ctx, 'campaigns')
    const { draft, template } = await withTemplate(ctx, input)
    const [added] = await Promise.all([addDraft(ctx, draft, { template, body: input }), checked])
    return added
  })

/** The template of a draft, and the body that refers to it. */
type Origin = { template: TemplateFacts; body: object }

/** Inserts a new draft; also used to duplicate a campaign. */
export async function addDraft(
  ctx: WriteContext,
  draft: CampaignDraft,
  { template, body }: Origin,
): Promise<Changed<Campaign>> {
  const { normalized, faults, profile } = await normalizeWithProfile(ctx, draft)
  if (faults.length > 0) throw invalid(faults)
  const row = {
    id: newId('campaign'),
    ...emptyRow,
    ...normalized,
    ...template,
    ...firstStamps(ctx),
  }
  const details = withProfile(ctx, row, profile)
  const { reason } = await checkBudget(ctx, { before: null, after: details, body })
  insert(ctx, 'campaigns', { ...row, ...jsonOf(normalized) })
  return { before: null, after: warned(ctx, toCampaign(details, ctx)), reason }
}

const jsonOf = ({ metadata, schedule }: NormalizedCampaign) => ({
  metadata: JSON.stringify(metadata),
  schedule: schedule && JSON.stringify(schedule),
})

const emptyRow = {
  status: 'draft' as const,
  status_reason: null,
  status_before_archive: null,
  review: null,
  approved: null,
  overridden: null,
  daily_cost_minor: null,
  launched_at: null,
  completed_at: null,
  archived_at: null,
}

type Stored = Omit<Details, 'organization_id' | keyof ReturnType<typeof factColumns>>

const withProfile = (ctx: WriteContext, row: Stored, profile: RunFacts | undefined): Details => ({
  organization_id: ctx.organization.id,
  ...row,
  ...factColumns(profile),
})

/** The normalized row fields and the profile; throws every validation fault at once. */
async function normalizeWithProfile(ctx: WriteContext, draft: CampaignDraft, before?: Details) {
  const profile = await findProfile(ctx, draft.profile_id, before)
  const { minimumBudgets } = ctx.services.config
  return { ...normalize(draft, { profile, minimumBudgets, now: ctx.now, before }), profile }
}

/** The profile for the campaign. An archived one accepts no new campaigns. */
async function findProfile(
  ctx: WriteContext,
  id: string | undefined,
  before: Details | undefined,
): Promise<RunFacts | undefined> {
  if (id === undefined) return undefined
  const profile = (await profileFacts(ctx, [id])).get(id)
  const isKept = before?.profile_id === id
  return profile && (profile.status !== 'archived' || isKept) ? profile : undefined
}

export const updateCampaign = (
  ctx: Context,
  id: string,
  body: CampaignChanges,
): Promise<Campaign> =>
  changeCampaign(ctx, 'campaign.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'campaign_details', id)
    const before = toCampaign(row, ctx)
    const { template_id, ...rest } = body
    const draft = writable(rest)
    const merged = { ...draftFromRow(row), ...draft }
    const tried = await normalizeWithProfile(ctx, merged, row)
    const { normalized, profile } = tried
    const changed = changedFields<NormalizedCampaign>(row as NormalizedCampaign, normalized)
    const sent = pick(draft, [...fieldsOf(changed), ...tried.faults.map(fieldOf)])
    const faults = [
      ...immutableFaults(row, Object.keys(sent), ctx.now),
      ...tried.faults,
      ...missingStartFaults(row, merged),
      ...changedReadOnly(before, body, readOnlyFields),
      ...lockedFaults(row, sent, normalized),
      ...(template_id === undefined || template_id === row.template_id
        ? []
        : [immutableFault('template_id')]),
    ]
    if (faults.length > 0) throw invalid(faults)
    if (changed.length === 0) return { before, after: before }
    const set = { ...normalized, ...nextStamps(ctx, row), ...clearedApproval(changed) }
    const details = withProfile(ctx, { ...row, ...set }, profile)
    checkApproved(ctx, row, details)
    const { reason, marks } = await checkBudget(ctx, { before: row, after: details, body })
    update(ctx, 'campaigns', { id, ...set, ...jsonOf(normalized), ...columnsOfMarks(marks) })
    return { before, after: warned(ctx, toCampaign(details, ctx)), reason }
  })

/** A scheduled campaign without a start would never start. */
function missingStartFaults({ status }: Details, { start_at = null }: CampaignDraft): Fault[] {
  if (status !== 'scheduled' || start_at !== null) return []
  const message = 'is required while the campaign is scheduled: unschedule it first or send a time'
  return [fault('/start_at', 'required', message)]
}

/**
 * A change of account, currency, objective or time zone voids the approval and the guardrail
 * override.
 */
const clearedApproval = (changed: readonly string[]): { approved?: null; overridden?: null } =>
  approvedExactly.some((field) => changed.includes(field))
    ? { approved: null, overridden: null }
    : {}

/** A running campaign cannot exceed its approval if the organization requires one. */
function checkApproved(ctx: WriteContext, before: Details, after: Details): void {
  if (!isRunning(before) || isCovered(planOf(after), planOf(before), ctx.now)) return
  if (factsOf(after, ctx).approval !== 'missing') return
  throw beyondApproved({ current_status: before.status })
}

const writable = (body: CampaignDraft): CampaignDraft =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !readOnlyFields.includes(field)))

/** Columns under their API field names. */
const fieldsOf = (columns: readonly string[]) =>
  columns.map((column) => column.replace(/_minor$/, ''))

const fieldOf = ({ pointer = '' }: Fault) => pointer.split('/')[1] ?? ''

const pick = (draft: CampaignDraft, fields: readonly string[]): CampaignDraft =>
  Object.fromEntries(Object.entries(draft).filter(([field]) => fields.includes(field)))

/** Fields that cannot change in the campaign's current status. */
function immutableFaults(row: Details, changed: readonly string[], now: string): Fault[] {
  const editable = editableIn[row.status]
  const hasStarted = row.launched_at !== null && (row.start_at === null || row.start_at <= now)
  return changed
    .filter((field) => !editable.includes(field) || (field === 'start_at' && hasStarted))
    .map(immutableFault)
}

const immutableFault = (field: string) =>
  fault(`/${field}`, 'immutable_field', 'cannot change in the current status of the campaign')

export async function deleteCampaign(ctx: Context, id: string): Promise<void> {
  await changeCampaign(ctx, 'campaign.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'campaign_details', id)
    const before = toCampaign(row, ctx)
    if (!deletableIn.includes(before.status)) {
      throw conflict(
        'invalid_state_transition',
        `A campaign that is ${before.status} cannot be deleted.`,
        {
          current_status: before.status,
          action: 'delete',
          allowed_actions: before.available_actions
            .filter((each) => each.allowed)
            .map((each) => each.action),
        },
      )
    }
    remove(ctx, 'campaigns', id)
    // An archived campaign was already out of the quota.
    if (before.status === 'archived') adjustQuota(ctx, 'campaigns', 1)
    return { before, after: null }
  })
}
