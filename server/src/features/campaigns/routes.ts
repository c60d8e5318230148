import { type Endpoint, endpoint, type Feature } from '../../http/endpoint.ts'
import { conflict } from '../../kernel/errors.ts'
import { listParameters } from '../../kernel/pages.ts'
import { act, duplicateCampaign } from './actions.ts'
import {
  campaignList,
  createCampaign,
  deleteCampaign,
  getCampaign,
  listCampaigns,
  updateCampaign,
} from './campaigns.ts'
import { campaignEvents, transitions } from './lifecycle.ts'
import { pauseWithProfile } from './reactions.ts'
import { campaignStates } from './reference.ts'
import {
  Campaign,
  CampaignBody,
  CampaignChanges,
  CampaignList,
  CampaignStates,
  NoBody,
} from './schema.ts'

const tag = 'Campaigns'

/** POST /campaigns/:id/<action>, one for each row of the lifecycle's table. */
const actionEndpoints: Endpoint[] = transitions.map(({ action, summary, from, checked, events }) =>
  endpoint({
    operation: `${action}Campaign`,
    tag,
    summary,
    description: `From ${from.join(', ')}. Where the campaign already is what the action leads to, nothing changes.`,
    method: 'POST',
    path: `/campaigns/:id/${action}`,
    permission: 'campaigns.write',
    action: Object.values(events)[0] ?? `campaign.${action}`,
    body: NoBody,
    reply: Campaign,
    problems: checked
      ? ['invalid_state_transition', 'launch_blocked']
      : ['invalid_state_transition', 'limit_exceeded'],
    run: (ctx, { id }) => act(ctx, id, action),
  }),
)

export const campaigns: Feature = {
  endpoints: [
    endpoint({
      operation: 'listCampaigns',
      tag,
      summary: 'List campaigns',
      description:
        'Archived campaigns are left out unless `status` or `include_archived` asks for them.',
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
      description: 'The campaign begins as a draft.',
      method: 'POST',
      path: '/campaigns',
      permission: 'campaigns.write',
      action: 'campaign.created',
      body: CampaignBody,
      example: {
        name: 'Spring Sale 2026',
        objective: 'sales',
        profile_id: 'prf_01m7yez275fk1a52pr5qevn8kn',
        daily_budget: 33.51,
        currency: 'USD',
      },
      gathersFaults: true,
      status: 201,
      reply: Campaign,
      problems: ['external_id_taken', 'limit_exceeded'],
      run: (ctx, { body }) => createCampaign(ctx, body),
    }),
    endpoint({
      operation: 'getCampaign',
      tag,
      summary: 'Get a campaign',
      method: 'GET',
      path: '/campaigns/:id',
      permission: 'campaigns.read',
      reply: Campaign,
      run: (ctx, { id }) => getCampaign(ctx, id),
    }),
    endpoint({
      operation: 'updateCampaign',
      tag,
      summary: 'Change a campaign',
      description:
        'PUT and PATCH both merge: a field sent is set, null clears an optional field, a field left out stays. Which fields may change depends on the status; see GET /reference/campaign_states.',
      method: ['PUT', 'PATCH'],
      path: '/campaigns/:id',
      permission: 'campaigns.write',
      action: 'campaign.updated',
      body: CampaignChanges,
      gathersFaults: true,
      reply: Campaign,
      problems: ['external_id_taken'],
      run: (ctx, { id, body }) => updateCampaign(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteCampaign',
      tag,
      summary: 'Delete a campaign',
      description: 'In draft, paused, completed and archived.',
      method: 'DELETE',
      path: '/campaigns/:id',
      permission: 'campaigns.write',
      action: 'campaign.deleted',
      status: 204,
      problems: ['invalid_state_transition'],
      run: (ctx, { id }) => deleteCampaign(ctx, id),
    }),
    ...actionEndpoints,
    endpoint({
      operation: 'duplicateCampaign',
      tag,
      summary: 'Make a draft like this campaign',
      description: 'Fields of the body take the place of the copied ones.',
      method: 'POST',
      path: '/campaigns/:id/duplicate',
      permission: 'campaigns.write',
      action: 'campaign.created',
      body: CampaignChanges,
      gathersFaults: true,
      status: 201,
      locatedAt: '/campaigns',
      reply: Campaign,
      problems: ['external_id_taken', 'limit_exceeded'],
      run: (ctx, { id, body }) => duplicateCampaign(ctx, id, body),
    }),
    endpoint({
      operation: 'getCampaignStates',
      tag: 'Reference',
      summary: 'The lifecycle of campaigns',
      method: 'GET',
      path: '/reference/campaign_states',
      permission: 'self.use',
      reply: CampaignStates,
      run: async () => campaignStates(),
    }),
  ],
  constraints: {
    campaigns_external_id_key: () =>
      conflict('external_id_taken', 'Another campaign has this external_id.'),
  },
  events: campaignEvents,
  reactions: { 'profile.updated': pauseWithProfile },
}
