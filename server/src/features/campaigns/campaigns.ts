import type { Changed } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { adjustQuota, checkCap } from '../../kernel/quotas.ts'
import { firstStamps, insert, nextStamps, oneToChange, remove, update } from '../../kernel/rows.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { conflict, invalid } from '../../problems/problem.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import type { Fields } from '../../schema/differences.ts'
import { patched } from '../../schema/merge-patch.ts'
import { newId } from '../../values/ids.ts'
import { changeCampaign } from './change-campaign.ts'
import { type CampaignDraft, type NormalizedCampaign, normalize } from './draft/normalize.ts'
import { lockedFaults, type TemplateFacts, withTemplate } from './draft/template.ts'
import { checkDearer, checkDeletion } from './guardrails/change-set-rules.ts'
import { checkBudget } from './guardrails/check.ts'
import { isRunning } from './guardrails/rules.ts'
import { checkHasNoResults, currencyFaults } from './has-results.ts'
import { approvedExactly, isCovered } from './lifecycle/approval.ts'
import { editableIn } from './lifecycle/editable.ts'
import { campaignIn, deletableIn } from './lifecycle/transitions.ts'
import { warned } from './lifecycle/warnings.ts'
import { type Details, momentOf, toCampaign } from './present.ts'
import { campaignDetails, factColumns, profileFacts, type RunFacts } from './profile-facts.ts'
import { beyondApproved } from './refusals.ts'
import { campaignIds, cap } from './resource.ts'
import {
  approvalOf,
  approvedByChangeSet,
  columnsOfMarks,
  planOf,
  type ReviewColumns,
} from './review.ts'
import {
  type Campaign,
  type CampaignChanges,
  type CampaignInput,
  readOnlyFields,
} from './schema.ts'
import { withPerformance } from './target/present.ts'

export async function getCampaign(ctx: Context, id: string): Promise<Campaign> {
  return toCampaign(await campaignDetails(ctx, id), momentOf(ctx))
}

export const createCampaign = (ctx: Context, input: CampaignInput): Promise<Campaign> =>
  changeCampaign(ctx, 'campaign.created', (ctx) => added(ctx, input), { isAddition: true })

async function added(ctx: WriteContext, input: CampaignInput): Promise<Changed<Campaign>> {
  const checked = checkCap(ctx, cap)
  const { draft, template } = await withTemplate(ctx, input)
  const [added] = await Promise.all([addDraft(ctx, draft, { template, body: input }), checked])
  return added
}

/** The template or the original of a draft, and the body that refers to it. */
type Origin = { template: TemplateFacts; body: Fields; base?: NormalizedCampaign }

/** Inserts a new draft; also used to duplicate a campaign. */
export async function addDraft(
  ctx: WriteContext,
  draft: CampaignDraft,
  { template, body, base }: Origin,
): Promise<Changed<Campaign>> {
  const stored = { base, before: undefined }
  const { normalized, faults, profile } = await normalizeWithProfile(ctx, draft, stored)
  if (faults.length > 0) throw invalid(faults)
  const row = {
    id: newId(campaignIds),
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

export const jsonOf = ({ metadata, schedule, target }: NormalizedCampaign) => ({
  metadata: JSON.stringify(metadata),
  schedule: schedule && JSON.stringify(schedule),
  target: target && JSON.stringify(target),
})

export const emptyRow = {
  status: 'draft' as const,
  status_reason: null,
  status_before_archive: null,
  status_change: null,
  review: null,
  approved: null,
  overridden: null,
  deployment: null,
  daily_cost_minor: null,
  launched_at: null,
  completed_at: null,
  archived_at: null,
}

type StoredCampaign = Omit<
  Details,
  'organization_id' | 'capped_minor' | keyof ReturnType<typeof factColumns>
> & { capped_minor?: number | null }

export const withProfile = (
  ctx: WriteContext,
  row: StoredCampaign,
  profile: RunFacts | undefined,
): Details => ({
  organization_id: ctx.organization.id,
  capped_minor: null,
  ...row,
  ...factColumns(profile),
})

type StoredBefore = { base: NormalizedCampaign | undefined; before: Details | undefined }

/** The normalized row fields and the profile, with every fault. */
export async function normalizeWithProfile(
  ctx: WriteContext,
  draft: CampaignDraft,
  stored: StoredBefore,
) {
  const { base, before } = stored
  const profile = await findProfile(ctx, draft.profile_id ?? base?.profile_id, before)
  const { minimumBudgets } = ctx.services.config
  return { ...normalize(draft, { profile, minimumBudgets, now: ctx.now, base, before }), profile }
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
  changes: CampaignChanges,
): Promise<Campaign> =>
  changeCampaign(ctx, 'campaign.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'campaign_details', id)
    const before = toCampaign(row, ctx)
    const { body, faults: mergeFaults } = patched(ctx, before, changes)
    const { template_id, ...rest } = body
    const draft = writable(rest)
    const tried = await normalizeWithProfile(ctx, draft, { base: row, before: row })
    const { normalized, profile } = tried
    const changed = changedFields(row, normalized)
    const sent = pick(draft, [...fieldsOf(changed), ...tried.faults.map(fieldOf)])
    const faults = [
      ...mergeFaults,
      ...immutableFaults(row, Object.keys(sent), ctx.now),
      ...tried.faults,
      ...missingStartFaults(row, draft),
      ...(changed.includes('currency') ? await currencyFaults(ctx, id) : []),
      ...(await readOnlyFaults(ctx, {
        before: await shownFor(ctx, before, body),
        body,
        readOnly: readOnlyFields,
      })),
      ...lockedFaults(row, sent, normalized),
      ...(template_id === undefined || template_id === row.template_id
        ? []
        : [immutableFault('template_id')]),
    ]
    if (faults.length > 0) throw invalid(faults)
    if (changed.length === 0) return { before, after: before }
    const set = { ...normalized, ...nextStamps(ctx, row), ...clearedApproval(changed) }
    const details = withProfile(ctx, { ...row, ...set }, profile)
    checkDearer(ctx, row, details)
    const given = checkApproved(ctx, row, details)
    const { reason, marks } = await checkBudget(ctx, { before: row, after: details, body })
    const columns = columnsOfMarks({ ...marks, ...given })
    update(ctx, 'campaigns', { id, ...set, ...jsonOf(normalized), ...columns })
    return { before, after: warned(ctx, toCampaign({ ...details, ...given }, ctx)), reason }
  })

/** As it was read, where what is judged beside it is sent back. */
async function shownFor(ctx: Context, before: Campaign, body: Fields): Promise<Campaign> {
  if (!('performance' in body)) return before
  const [judged = before] = await withPerformance(ctx, [before])
  return judged
}

/** A scheduled campaign without a start would never start. */
function missingStartFaults(row: Details, { start_at = row.start_at }: CampaignDraft): Fault[] {
  if (row.status !== 'scheduled' || start_at !== null) return []
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

/**
 * A running campaign cannot exceed its approval if the organization requires one; a change set brings
 * its own.
 */
function checkApproved(
  ctx: WriteContext,
  before: Details,
  after: Details,
): ReviewColumns | undefined {
  if (!isRunning(before) || isCovered(planOf(after), planOf(before), ctx.now)) return undefined
  if (approvalOf(after, ctx.now) !== 'missing') return undefined
  const given = approvedByChangeSet(ctx, after)
  if (given) return given
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
    checkDetached(row)
    const before = toCampaign(row, ctx)
    if (!deletableIn.includes(before.status)) {
      throw conflict(
        'invalid_state_transition',
        `${campaignIn[before.status]} cannot be deleted.`,
        {
          current_status: before.status,
          action: 'delete',
          allowed_actions: before.available_actions
            .filter((each) => each.allowed)
            .map((each) => each.action),
        },
      )
    }
    await checkHasNoResults(ctx, id)
    checkDeletion(ctx, row)
    remove(ctx, 'campaigns', id)
    // An archived campaign was already out of the quota.
    if (before.status === 'archived') adjustQuota(ctx, cap, 1)
    return { before, after: null }
  })
}

/** Refuses while it is deployed: its object in the network would run on, and nothing could stop it. */
function checkDetached({ name, deployment }: Details): void {
  if (!deployment || deployment.state === 'removed') return
  throw conflict('resource_in_use', 'It is deployed in its network: detach or remove it first.', {
    references: [{ type: 'deployment', id: deployment.id, name }],
    reference_count: 1,
  })
}
