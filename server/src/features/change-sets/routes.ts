import { type Costing, endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { findOne } from '../../kernel/rows.ts'
import { listParameters } from '../../query/list.ts'
import { exampleId } from '../../values/ids.ts'
import { memberOf } from '../../values/objects.ts'
import { campaignIds } from '../campaigns/resource.ts'
import { ReasonBody } from '../campaigns/status/schema.ts'
import { agentEndpoints } from './agents/routes.ts'
import { applyChangeSet } from './apply.ts'
import { costOfCsv } from './csv/file.ts'
import { CsvBody, csvParameters, proposeFromCsv } from './csv/from-csv.ts'
import { approveChangeSet, cancelChangeSet, rejectChangeSet } from './decisions.ts'
import { updateChangeSet } from './edit.ts'
import { changeSetEvents } from './event-types.ts'
import { changeSetList, listChangeSets, listOperations, operationParameters } from './list.ts'
import { sealedBodies } from './operations/bodies.ts'
import { costOf } from './operations/read.ts'
import { ChangeSetBody, ChangeSetOperationList } from './operations/schema.ts'
import { approverRolesIn, getChangeSet } from './present.ts'
import { proposeChangeSet } from './propose.ts'
import { refreshChangeSet } from './refresh.ts'
import {
  approveChangeSets,
  cap,
  changeSetIds,
  manageChangeSets,
  readChangeSets,
  rejectChangeSets,
  tag,
  writeChangeSets,
} from './resource.ts'
import { purgeChangeSets } from './retention.ts'
import { ApproveBody, ChangeSet, ChangeSetChanges, ChangeSetList } from './schema.ts'
import { isLiving } from './status.ts'
import { keepPaused } from './timed/kept-paused.ts'
import { timedChangeSets } from './timed/timed.ts'

/** Runs on an unchecked body. */
function costOfProposal(body: unknown): number {
  const operations = memberOf(body, 'operations')
  return Array.isArray(operations) ? Math.min(100, costOf(operations.length)) : 1
}

/** One that is not there costs as one request. */
async function costOfStored(_: unknown, { ctx, id }: Costing): Promise<number> {
  const row = await findOne(ctx, 'change_sets', id)
  return row && isLiving(row.status) ? costOf(row.operation_count) : 1
}

const ofState = [
  'invalid_state_transition',
  'change_set_stale',
  'change_set_not_applicable',
] as const

const maxBytes = 8 * 1024 * 1024

export const changeSets: Feature = {
  tag,
  permissions: [
    readChangeSets,
    writeChangeSets,
    approveChangeSets,
    rejectChangeSets,
    manageChangeSets,
  ],
  ids: { change_sets: changeSetIds },
  cap,
  tables: [
    { name: 'change_set_operations', isEmptied: true },
    { name: 'change_sets', isEmptied: true },
  ],
  evenWhenFull: {
    'change_set.approved': true,
    'change_set.rejected': true,
    'change_set.cancelled': true,
    'change_set.applied': true,
  },
  endpoints: [
    endpoint({
      operation: 'listChangeSets',
      tag,
      summary: 'List change sets',
      method: 'GET',
      path: '/change_sets',
      permission: readChangeSets,
      query: listParameters(changeSetList),
      reply: ChangeSetList,
      run: (ctx, { query }) => listChangeSets(ctx, query),
    }),
    endpoint({
      operation: 'proposeChangeSet',
      tag,
      summary: 'Propose changes',
      description:
        'Tries out up to 1,000 operations together, each seeing the effects of those before it, and stores them with what they would do. Returns 201 whatever the trial finds; operations that cannot be tried are 422, and nothing is stored. Counts as one request per ten operations or per 16 KiB, whichever is more.',
      method: 'POST',
      path: '/change_sets',
      permission: writeChangeSets,
      action: 'change_set.created',
      body: ChangeSetBody,
      example: {
        title: 'Weekend sale',
        operations: [{ op: 'update', id: exampleId(campaignIds), body: { daily_budget: 100 } }],
      },
      carriesMany: true,
      maxBytes,
      cost: costOfProposal,
      status: 201,
      reply: ChangeSet,
      problems: ['limit_exceeded'],
      run: (ctx, { body }) => proposeChangeSet(ctx, body),
    }),
    endpoint({
      operation: 'proposeChangeSetFromCsv',
      tag,
      summary: 'Propose changes from a spreadsheet',
      description:
        'Columns as in GET /campaigns/export. A blank cell leaves a field as it is, `[]` clears it; `version` is the expected version. A row updates the campaign of its `id`, or of its `external_id`, and creates one otherwise. At most 1,000 rows of 200 cells, and 64 KiB in a cell. Rows that cannot be read are 422 with pointers such as `/rows/0/labels` (the first row after the header is 0), and nothing is stored.',
      method: 'POST',
      path: '/change_sets/from_csv',
      permission: writeChangeSets,
      action: 'change_set.created',
      query: csvParameters,
      body: CsvBody,
      takes: 'text/csv',
      maxBytes,
      cost: costOfCsv,
      status: 201,
      locatedAt: '/change_sets',
      reply: ChangeSet,
      problems: ['limit_exceeded'],
      run: (ctx, { body, query }) => proposeFromCsv(ctx, { body, query }),
    }),
    endpoint({
      operation: 'getChangeSet',
      tag,
      summary: 'Get a change set',
      method: 'GET',
      path: '/change_sets/:id',
      permission: readChangeSets,
      reply: ChangeSet,
      run: (ctx, { id }) => getChangeSet(ctx, id),
    }),
    endpoint({
      operation: 'listChangeSetOperations',
      tag,
      summary: 'List the operations of a change set',
      description: 'In the order in which they run, with what each would do or has done.',
      method: 'GET',
      path: '/change_sets/:id/operations',
      permission: readChangeSets,
      query: operationParameters,
      reply: ChangeSetOperationList,
      run: (ctx, { id, query }) => listOperations(ctx, id, query),
    }),
    endpoint({
      operation: 'updateChangeSet',
      tag,
      summary: 'Update a change set',
      description:
        'By its author, admins and owners. Voids an approval. Its operations cannot change.',
      method: 'PATCH',
      path: '/change_sets/:id',
      permission: writeChangeSets,
      action: 'change_set.updated',
      body: ChangeSetChanges,
      example: { description: 'Agreed with sales.' },
      reply: ChangeSet,
      problems: ['invalid_state_transition'],
      run: (ctx, { id, body }) => updateChangeSet(ctx, id, body),
    }),
    endpoint({
      operation: 'approveChangeSet',
      tag,
      summary: 'Approve a change set',
      description:
        'Requires `If-Match`, or `version`, with the version that was reviewed. Never by its author; the maker of an API key counts as its author.',
      method: 'POST',
      path: '/change_sets/:id/approve',
      permission: approveChangeSets,
      requiredRoles: approverRolesIn,
      action: 'change_set.approved',
      body: ApproveBody,
      example: { version: 1 },
      reply: ChangeSet,
      problems: [...ofState, 'self_approval_forbidden'],
      run: (ctx, { id, body }) => approveChangeSet(ctx, id, body),
    }),
    endpoint({
      operation: 'rejectChangeSet',
      tag,
      summary: 'Reject a change set',
      method: 'POST',
      path: '/change_sets/:id/reject',
      permission: rejectChangeSets,
      requiredRoles: approverRolesIn,
      action: 'change_set.rejected',
      body: ReasonBody,
      example: { reason: 'The budget belongs to next month.' },
      reply: ChangeSet,
      problems: ['invalid_state_transition'],
      run: (ctx, { id, body }) => rejectChangeSet(ctx, id, body),
    }),
    endpoint({
      operation: 'cancelChangeSet',
      tag,
      summary: 'Cancel a change set',
      description: 'By its author, admins and owners.',
      method: 'POST',
      path: '/change_sets/:id/cancel',
      permission: writeChangeSets,
      action: 'change_set.cancelled',
      reply: ChangeSet,
      problems: ['invalid_state_transition'],
      run: (ctx, { id }) => cancelChangeSet(ctx, id),
    }),
    endpoint({
      operation: 'refreshChangeSet',
      tag,
      summary: 'Try a change set out again',
      description:
        'On what is there now. An approval is void if anything differs. By its author, admins and owners; does not extend `expires_at`. Costs the same as the proposal.',
      method: 'POST',
      path: '/change_sets/:id/refresh',
      permission: writeChangeSets,
      action: 'change_set.refreshed',
      cost: costOfStored,
      reply: ChangeSet,
      problems: ['invalid_state_transition'],
      run: (ctx, { id }) => refreshChangeSet(ctx, id),
    }),
    endpoint({
      operation: 'applyChangeSet',
      tag,
      summary: 'Apply a change set',
      description:
        'Does what its trial found, in one transaction, with the versions that the trial saw, or nothing (partial: operations whose objects have moved fail with `version_mismatch`). Applying it again changes nothing. Costs the same as the proposal.',
      method: 'POST',
      path: '/change_sets/:id/apply',
      permission: writeChangeSets,
      action: 'change_set.applied',
      cost: costOfStored,
      reply: ChangeSet,
      problems: [...ofState, 'approval_required', 'guardrail_violation', 'agent_envelope_exceeded'],
      run: (ctx, { id }) => applyChangeSet(ctx, id),
    }),
    ...agentEndpoints,
  ],
  duties: [timedChangeSets],
  jobs: [{ name: 'change-sets.purge', cron: '41 * * * *', run: purgeChangeSets }],
  sealed: sealedBodies,
  events: [changeSetEvents],
  reactions: { 'campaign.pause': keepPaused },
}
