import { asOfParameter, RevertBody, revert } from '../../history/as-of.ts'
import { History, historyOf, historyParameters } from '../../history/versions.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { readReference } from '../../identity/permissions.ts'
import { exportTypes, formatParameter } from '../../query/file-formats.ts'
import { filterParameters, listParameters } from '../../query/list.ts'
import { exampleId } from '../../values/ids.ts'
import { profileIds } from '../profiles/resource.ts'
import { tag as referenceTag } from '../reference/resource.ts'
import { actionEndpoints } from './action-routes.ts'
import { duplicateCampaign } from './actions.ts'
import { bulk, costOfBulk, statusOfBulk, withoutObjects } from './bulk/bulk.ts'
import { BulkBody, BulkReply } from './bulk/schema.ts'
import { createCampaign, deleteCampaign, updateCampaign } from './campaigns.ts'
import { dueClientPacing } from './client-pacing/due.ts'
import { clientPacingEvents } from './client-pacing/event-types.ts'
import { clientPacingEndpoints } from './client-pacing/routes.ts'
import { campaignEvents } from './event-types.ts'
import { guardrailEvents } from './guardrails/event.ts'
import { campaignAsked, campaignHistory } from './history.ts'
import { campaignStates } from './lifecycle/reference.ts'
import { CampaignStates, ObjectiveList } from './lifecycle/schema.ts'
import { exportCampaigns } from './list/export.ts'
import { campaignList, listCampaigns } from './list/list.ts'
import { objectivesWithAliases } from './objectives.ts'
import { duePacing } from './pacing/due.ts'
import { pacingEvents } from './pacing/event-types.ts'
import { pacingEndpoints } from './pacing/routes.ts'
import { reactions } from './reactions.ts'
import { campaignRefusals, evenWhenFull, ofUpdates } from './refusals.ts'
import {
  approveCampaigns,
  campaignIds,
  cap,
  readCampaigns,
  tag,
  withdrawAnyCampaign,
  writeCampaigns,
} from './resource.ts'
import { getSchedule, scheduleParameters } from './schedule/windows.ts'
import {
  Campaign,
  CampaignBody,
  CampaignChanges,
  CampaignList,
  CampaignWindows,
  DuplicateBody,
} from './schema.ts'
import { dueSearch } from './search/due.ts'
import { explainStatus } from './status/explain.ts'
import { ExplainBody } from './status/schema.ts'
import { duePerformance } from './target/due.ts'
import { performanceEvents } from './target/event-types.ts'
import { asksPerformance, includeParameter } from './target/present.ts'
import { timedMoves } from './timed-moves.ts'

export const campaigns: Feature = {
  tag,
  permissions: [readCampaigns, writeCampaigns, approveCampaigns, withdrawAnyCampaign],
  ids: { campaigns: campaignIds },
  cap,
  tables: [
    { name: 'campaign_counts', isEmptied: true },
    { name: 'campaign_pacing', isEmptied: true },
    { name: 'campaign_performance', isEmptied: true },
    { name: 'campaign_metrics', isEmptied: true },
    { name: 'client_pacing', isEmptied: true },
    { name: 'client_pacing_due', isEmptied: true },
    { name: 'campaigns', isEmptied: true },
  ],
  evenWhenFull,
  endpoints: [
    endpoint({
      operation: 'listCampaigns',
      tag,
      summary: 'List campaigns',
      description:
        'Archived campaigns are excluded unless `status` or `include_archived` selects them.',
      method: 'GET',
      path: '/campaigns',
      permission: readCampaigns,
      query: { ...listParameters(campaignList), ...includeParameter },
      reply: CampaignList,
      run: (ctx, { query }) => listCampaigns(ctx, query),
    }),
    endpoint({
      operation: 'exportCampaigns',
      tag,
      summary: 'Export campaigns',
      description:
        'Every matching campaign, newest first, streamed: one row each, as it is when it is read. NDJSON has whole objects. CSV has their fields under the same names, members of `delivery` and `status_change` as `delivery_state`, `status_change_by_name` and so on, budgets in major units, and lists and objects as JSON; text that a spreadsheet would run as a formula is prefixed with an apostrophe. A failure midway closes the connection. At most one export runs per organization, and two per process including verifications of audit logs; otherwise 503 `overloaded`.',
      method: 'GET',
      path: '/campaigns/export',
      permission: readCampaigns,
      query: { format: formatParameter, ...filterParameters(campaignList.filters) },
      streams: exportTypes,
      noStore: true,
      run: (ctx, { query }) => exportCampaigns(ctx, query),
    }),
    endpoint({
      operation: 'createCampaign',
      tag,
      summary: 'Create a campaign',
      description: 'The campaign is created as a draft.',
      method: 'POST',
      path: '/campaigns',
      permission: writeCampaigns,
      action: 'campaign.created',
      body: CampaignBody,
      example: {
        name: 'Spring Sale 2026',
        objective: 'sales',
        profile_id: exampleId(profileIds),
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
      permission: readCampaigns,
      query: { ...asOfParameter, ...includeParameter },
      variesBeside: asksPerformance,
      reply: Campaign,
      run: (ctx, { id, query }) => campaignAsked(ctx, id, query),
    }),
    endpoint({
      operation: 'getCampaignSchedule',
      tag,
      summary: 'Get the open windows of a campaign’s schedule',
      description:
        'The windows of `schedule` as instants within `[from, to)`, which may be in the past. A campaign without a schedule has one window, the whole range. Status, `start_at` and `end_at` are not considered; `delivery` takes all of them into account.',
      method: 'GET',
      path: '/campaigns/:id/schedule',
      permission: readCampaigns,
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
      permission: writeCampaigns,
      action: 'campaign.updated',
      body: CampaignChanges,
      example: { daily_budget: 50, notes: 'Raised for the weekend.' },
      gathersFaults: true,
      reply: Campaign,
      problems: ofUpdates,
      run: (ctx, { id, body }) => updateCampaign(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteCampaign',
      tag,
      summary: 'Delete a campaign',
      description:
        'Allowed in draft, paused, completed and archived, as long as it has no results.',
      method: 'DELETE',
      path: '/campaigns/:id',
      permission: writeCampaigns,
      action: 'campaign.deleted',
      status: 204,
      problems: ['invalid_state_transition', 'resource_in_use', 'change_set_required'],
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
      permission: readCampaigns,
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
      permission: writeCampaigns,
      action: 'campaign.updated',
      body: RevertBody,
      example: { to_version: 3 },
      reply: Campaign,
      problems: ofUpdates,
      run: (ctx, { id, body }) => revert(ctx, campaignHistory, { id, ...body }),
    }),
    endpoint({
      operation: 'explainCampaignStatus',
      tag,
      summary: 'Say why the status of a campaign was changed',
      description:
        'Adds the reason to `status_change`, or replaces it, with an audit record of its own. For the one who changed the status, admins and owners; 404 while it was never changed.',
      method: 'PUT',
      path: '/campaigns/:id/status_change',
      permission: writeCampaigns,
      action: 'campaign.updated',
      body: ExplainBody,
      example: { reason: 'The landing page is down.' },
      reply: Campaign,
      problems: ['insufficient_role'],
      run: (ctx, { id, body }) => explainStatus(ctx, id, body),
    }),
    endpoint({
      operation: 'bulkCampaigns',
      tag,
      summary: 'Run up to 100 campaign operations',
      description:
        'Each operation is validated and recorded, and emits events, like the corresponding single request. Mode partial returns 207; a failed operation does not affect the others. Mode atomic returns 200, or 422 with every fault and no changes. Counts as one request per ten operations or per 16 KiB, whichever is more.',
      method: 'POST',
      path: '/campaigns/bulk',
      permission: writeCampaigns,
      action: 'campaign.bulk',
      body: BulkBody,
      example: {
        mode: 'partial',
        operations: [{ op: 'action', id: exampleId(campaignIds), action: 'pause', version: 3 }],
      },
      carriesMany: true,
      cost: costOfBulk,
      status: 207,
      statusFor: statusOfBulk,
      reply: BulkReply,
      minimal: withoutObjects,
      problems: ['bulk_failed', 'change_set_required'],
      run: (ctx, { body }) => bulk(ctx, body),
    }),
    ...actionEndpoints,
    ...pacingEndpoints,
    ...clientPacingEndpoints,
    endpoint({
      operation: 'duplicateCampaign',
      tag,
      summary: 'Duplicate a campaign',
      description:
        'Creates a draft; fields of the body override the copied ones. `external_id` and the template are not copied.',
      method: 'POST',
      path: '/campaigns/:id/duplicate',
      permission: writeCampaigns,
      action: 'campaign.created',
      body: DuplicateBody,
      example: { name: 'Summer Sale 2026' },
      gathersFaults: true,
      status: 201,
      locatedAt: '/campaigns',
      reply: Campaign,
      problems: ['external_id_taken', 'limit_exceeded', 'guardrail_violation'],
      run: (ctx, { id, body }) => duplicateCampaign(ctx, id, body),
    }),
    endpoint({
      operation: 'getCampaignStates',
      tag: referenceTag,
      summary: 'Get the campaign lifecycle',
      method: 'GET',
      path: '/reference/campaign_states',
      permission: readReference,
      reply: CampaignStates,
      run: async () => campaignStates(),
    }),
    endpoint({
      operation: 'listObjectives',
      tag: referenceTag,
      summary: 'List the objectives with each ad network’s names',
      method: 'GET',
      path: '/reference/objectives',
      permission: readReference,
      reply: ObjectiveList,
      run: async () => ({ data: objectivesWithAliases }),
    }),
  ],
  constraints: campaignRefusals,
  events: [campaignEvents, guardrailEvents, pacingEvents, clientPacingEvents, performanceEvents],
  reactions,
  duties: [timedMoves, duePacing, dueClientPacing, duePerformance, dueSearch],
}
