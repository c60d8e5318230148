import { asOfParameter, RevertBody, revert } from '../../history/as-of.ts'
import { History, historyOf, historyParameters } from '../../history/versions.ts'
import { type Endpoint, endpoint, type Feature } from '../../http/endpoint.ts'
import type { ProblemCode } from '../../problems/codes.ts'
import { listParameters } from '../../query/list.ts'
import { exampleId } from '../../values/ids.ts'
import { duplicateCampaign, performAction } from './actions.ts'
import { bulk, costOfBulk, statusOfBulk } from './bulk/bulk.ts'
import { BulkBody, BulkReply } from './bulk/schema.ts'
import {
  campaignList,
  createCampaign,
  deleteCampaign,
  listCampaigns,
  updateCampaign,
} from './campaigns.ts'
import { campaignEvents } from './event-types.ts'
import { guardrailEvents } from './guardrail-event.ts'
import { campaignAt, campaignHistory } from './history.ts'
import { campaignStates } from './lifecycle/reference.ts'
import { CampaignStates, ObjectiveList } from './lifecycle/schema.ts'
import { timedMoves } from './lifecycle/timed.ts'
import { type Transition, transitions } from './lifecycle/transitions.ts'
import { objectivesWithAliases } from './objectives.ts'
import { pauseWithProfile } from './reactions.ts'
import { campaignRefusals } from './refusals.ts'
import { approverRoles } from './review.ts'
import { getSchedule, scheduleParameters } from './schedule.ts'
import {
  bodyOfAction,
  Campaign,
  CampaignBody,
  CampaignChanges,
  CampaignList,
  CampaignWindows,
  DuplicateBody,
} from './schema.ts'

const tag = 'Campaigns'

/** POST /campaigns/:id/<action>, one endpoint per row of the transition table. */
const actionEndpoints: Endpoint[] = transitions.map((transition) => {
  const { action, summary, from, events, by } = transition
  return endpoint({
    operation: `${action}Campaign`,
    tag,
    summary,
    description: [`From ${from.join(', ')}.`, ...remarksOn(transition)].join(' '),
    method: 'POST',
    path: `/campaigns/:id/${action}`,
    permission: by === 'approver' ? 'campaigns.approve' : 'campaigns.write',
    ...(by === 'approver' && { requiredRoles: approverRoles }),
    action: Object.values(events)[0] ?? `campaign.${action}`,
    body: bodyOfAction(action),
    reply: Campaign,
    problems: problemsOf(transition),
    run: (ctx, { id, body }) => performAction(ctx, id, { action, ...body }),
  })
})

function remarksOn({ once, namesVersion }: Transition): string[] {
  const again = 'If the action has already taken effect, nothing changes.'
  const version =
    'Requires `If-Match` with the version that was reviewed (in bulk: `version`); without it, or with `*`, the response is 428.'
  return [...(once ? [] : [again]), ...(namesVersion ? [version] : [])]
}

function problemsOf({ action, checked, approval, by }: Transition): ProblemCode[] {
  return [
    'invalid_state_transition',
    ...(checked ? (['launch_blocked', 'guardrail_violation'] as const) : []),
    ...(approval === 'needed' ? (['approval_required'] as const) : []),
    ...(by ? (['insufficient_role'] as const) : []),
    ...(action === 'approve' ? (['self_approval_forbidden'] as const) : []),
    ...(action === 'unarchive' ? (['limit_exceeded'] as const) : []),
  ]
}

export const campaigns: Feature = {
  endpoints: [
    endpoint({
      operation: 'listCampaigns',
      tag,
      summary: 'List campaigns',
      description:
        'Archived campaigns are excluded unless `status` or `include_archived` selects them.',
      method: 'GET',
      path: '/campaigns',
      permission: 'campaigns.read',
      query: listParameters(campaignList),
      reply: CampaignList,
      run: (ctx, { query }) => listCampaigns(ctx, query),
    }),
    endpoint({
      operation: 'createCampaign',
      tag,
      summary: 'Create a campaign',
      description: 'The campaign is created as a draft.',
      method: 'POST',
      path: '/campaigns',
      permission: 'campaigns.write',
      action: 'campaign.created',
      body: CampaignBody,
      example: {
        name: 'Spring Sale 2026',
        objective: 'sales',
        profile_id: exampleId('profile'),
        daily_budget: 33.51,
        currency: 'USD',
      },
      gathersFaults: true,
      status: 201,
      reply: Campaign,
      problems: ['external_id_taken', 'limit_exceeded', 'guardrail_violation'],
      run: (ctx, { body }) => createCampaign(ctx, body),
    }),
    endpoint({
      operation: 'getCampaign',
      tag,
      summary: 'Get a campaign',
      method: 'GET',
      path: '/campaigns/:id',
      permission: 'campaigns.read',
      query: asOfParameter,
      reply: Campaign,
      run: (ctx, { id, query }) => campaignAt(ctx, id, query.as_of),
    }),
    endpoint({
      operation: 'getCampaignSchedule',
      tag,
      summary: 'Get the open windows of a campaign’s schedule',
      description:
        'The windows of `schedule` as instants within `[from, to)`, which may be in the past. A campaign without a schedule has one window, the whole range. Status, `start_at` and `end_at` are not considered; `delivery` takes all of them into account.',
      method: 'GET',
      path: '/campaigns/:id/schedule',
      permission: 'campaigns.read',
      query: scheduleParameters,
      reply: CampaignWindows,
      run: (ctx, { id, query }) => getSchedule(ctx, id, query),
    }),
    endpoint({
      operation: 'updateCampaign',
      tag,
      summary: 'Update a campaign',
      description:
        'PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. Which fields can change depends on the status; see GET /reference/campaign_states.',
      method: ['PUT', 'PATCH'],
      path: '/campaigns/:id',
      permission: 'campaigns.write',
      action: 'campaign.updated',
      body: CampaignChanges,
      gathersFaults: true,
      reply: Campaign,
      problems: ['external_id_taken', 'guardrail_violation', 'approval_required'],
      run: (ctx, { id, body }) => updateCampaign(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteCampaign',
      tag,
      summary: 'Delete a campaign',
      description: 'Allowed in draft, paused, completed and archived.',
      method: 'DELETE',
      path: '/campaigns/:id',
      permission: 'campaigns.write',
      action: 'campaign.deleted',
      status: 204,
      problems: ['invalid_state_transition'],
      run: (ctx, { id }) => deleteCampaign(ctx, id),
    }),
    endpoint({
      operation: 'getCampaignHistory',
      tag,
      summary: 'List the versions of a campaign',
      description:
        'Newest first: the state after each change, its time and its actor. Goes back as far as audit records are kept.',
      method: 'GET',
      path: '/campaigns/:id/history',
      permission: 'campaigns.read',
      query: historyParameters(campaignHistory),
      reply: History,
      run: (ctx, { id, query }) => historyOf(ctx, campaignHistory, { id, query }),
    }),
    endpoint({
      operation: 'revertCampaign',
      tag,
      summary: 'Restore an earlier version of a campaign',
      description:
        'Validated like any other update: a field that cannot change now is refused. The status does not change.',
      method: 'POST',
      path: '/campaigns/:id/revert',
      permission: 'campaigns.write',
      action: 'campaign.updated',
      body: RevertBody,
      example: { to_version: 3 },
      reply: Campaign,
      problems: ['external_id_taken', 'guardrail_violation', 'approval_required'],
      run: (ctx, { id, body }) => revert(ctx, campaignHistory, { id, ...body }),
    }),
    endpoint({
      operation: 'bulkCampaigns',
      tag,
      summary: 'Run up to 100 campaign operations',
      description:
        'Each operation is validated and recorded, and emits events, like the corresponding single request. Mode partial returns 207; a failed operation does not affect the others. Mode atomic returns 200, or 422 with every fault and no changes. Counts as one request per ten operations or per 16 KiB, whichever is more.',
      method: 'POST',
      path: '/campaigns/bulk',
      permission: 'campaigns.write',
      action: 'campaign.bulk',
      body: BulkBody,
      example: {
        mode: 'partial',
        operations: [{ op: 'action', id: exampleId('campaign'), action: 'pause', version: 3 }],
      },
      carriesMany: true,
      cost: costOfBulk,
      status: 207,
      statusFor: statusOfBulk,
      reply: BulkReply,
      problems: ['bulk_failed'],
      run: (ctx, { body, check }) => bulk(ctx, body, check),
    }),
    ...actionEndpoints,
    endpoint({
      operation: 'duplicateCampaign',
      tag,
      summary: 'Duplicate a campaign',
      description:
        'Creates a draft; fields of the body override the copied ones. `external_id` and the template are not copied.',
      method: 'POST',
      path: '/campaigns/:id/duplicate',
      permission: 'campaigns.write',
      action: 'campaign.created',
      body: DuplicateBody,
      gathersFaults: true,
      status: 201,
      locatedAt: '/campaigns',
      reply: Campaign,
      problems: ['external_id_taken', 'limit_exceeded', 'guardrail_violation'],
      run: (ctx, { id, body }) => duplicateCampaign(ctx, id, body),
    }),
    endpoint({
      operation: 'getCampaignStates',
      tag: 'Reference',
      summary: 'Get the campaign lifecycle',
      method: 'GET',
      path: '/reference/campaign_states',
      permission: 'self.use',
      reply: CampaignStates,
      run: async () => campaignStates(),
    }),
    endpoint({
      operation: 'listObjectives',
      tag: 'Reference',
      summary: 'List the objectives with each ad network’s names',
      method: 'GET',
      path: '/reference/objectives',
      permission: 'self.use',
      reply: ObjectiveList,
      run: async () => ({ data: objectivesWithAliases }),
    }),
  ],
  constraints: campaignRefusals,
  events: [campaignEvents, guardrailEvents],
  reactions: { 'profile.updated': pauseWithProfile },
  duties: [timedMoves],
}
