import { asOfParameter, RevertBody, revert } from '../../history/as-of.ts'
import { History, historyOf, historyParameters } from '../../history/versions.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { exportTypes, formatParameter } from '../../query/file-formats.ts'
import { filterParameters, listParameters } from '../../query/list.ts'
import { isBudgetDeleted } from './budgets/budgets.ts'
import { budgetEvents } from './budgets/event-types.ts'
import { budgetEndpoints } from './budgets/routes.ts'
import { clientList, createClient, deleteClient, listClients, updateClient } from './clients.ts'
import { clientEvents } from './event-types.ts'
import { exportClients } from './export.ts'
import { clientAt, clientHistory } from './history.ts'
import { clientRefusals } from './refusals.ts'
import {
  budgetMonths,
  cap,
  clientIds,
  readClients,
  tag,
  writeBudgets,
  writeClients,
} from './resource.ts'
import { Client, ClientBody, ClientChanges, ClientList } from './schema.ts'

export const clients: Feature = {
  tag,
  permissions: [readClients, writeClients, writeBudgets],
  ids: { clients: clientIds, budgets: budgetMonths },
  cap,
  tables: [
    { name: 'client_budgets', isEmptied: true },
    { name: 'clients', isEmptied: true },
  ],
  evenWhenFull: {
    'client.archived': true,
    'client.deleted': true,
    'client.budget_changed': isBudgetDeleted,
  },
  endpoints: [
    endpoint({
      operation: 'listClients',
      tag,
      summary: 'List clients',
      description:
        'Archived clients are excluded unless `status` or `include_archived` selects them.',
      method: 'GET',
      path: '/clients',
      permission: readClients,
      query: listParameters(clientList),
      reply: ClientList,
      run: (ctx, { query }) => listClients(ctx, query),
    }),
    endpoint({
      operation: 'exportClients',
      tag,
      summary: 'Export clients',
      description:
        'Every matching client, newest first, streamed, as campaigns are exported: NDJSON has whole objects, CSV their fields, lists and objects as JSON.',
      method: 'GET',
      path: '/clients/export',
      permission: readClients,
      query: { format: formatParameter, ...filterParameters(clientList.filters) },
      streams: exportTypes,
      noStore: true,
      run: (ctx, { query }) => exportClients(ctx, query),
    }),
    endpoint({
      operation: 'createClient',
      tag,
      summary: 'Create a client',
      description:
        'A client is whose money it is. A profile that names one that is not there makes it, too.',
      method: 'POST',
      path: '/clients',
      permission: writeClients,
      action: 'client.created',
      body: ClientBody,
      example: { name: 'Northwind Traders', currency: 'USD', time_zone: 'America/New_York' },
      gathersFaults: true,
      status: 201,
      reply: Client,
      problems: ['duplicate_name', 'external_id_taken', 'limit_exceeded'],
      run: (ctx, { body }) => createClient(ctx, body),
    }),
    endpoint({
      operation: 'getClient',
      tag,
      summary: 'Get a client',
      method: 'GET',
      path: '/clients/:id',
      permission: readClients,
      query: asOfParameter,
      reply: Client,
      run: (ctx, { id, query }) => clientAt(ctx, id, query.as_of),
    }),
    endpoint({
      operation: 'updateClient',
      tag,
      summary: 'Update a client',
      description:
        'PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. A new name is that of its profiles at once.',
      method: ['PUT', 'PATCH'],
      path: '/clients/:id',
      permission: writeClients,
      action: 'client.updated',
      body: ClientChanges,
      example: { name: 'Northwind' },
      gathersFaults: true,
      reply: Client,
      problems: ['duplicate_name', 'external_id_taken'],
      run: (ctx, { id, body }) => updateClient(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteClient',
      tag,
      summary: 'Delete a client',
      description: 'Refused while profiles refer to it: archive it instead.',
      method: 'DELETE',
      path: '/clients/:id',
      permission: writeClients,
      action: 'client.deleted',
      status: 204,
      problems: ['resource_in_use'],
      run: (ctx, { id }) => deleteClient(ctx, id),
    }),
    ...budgetEndpoints,
    endpoint({
      operation: 'getClientHistory',
      tag,
      summary: 'List the versions of a client',
      description:
        'Newest first: the state after each change, its time and its actor. Goes back as far as audit records are kept.',
      method: 'GET',
      path: '/clients/:id/history',
      permission: readClients,
      query: historyParameters(clientHistory),
      reply: History,
      run: (ctx, { id, query }) => historyOf(ctx, clientHistory, { id, query }),
    }),
    endpoint({
      operation: 'revertClient',
      tag,
      summary: 'Restore an earlier version of a client',
      description:
        'Validated like any other update: a name that another client has now is refused. The status does not change.',
      method: 'POST',
      path: '/clients/:id/revert',
      permission: writeClients,
      action: 'client.updated',
      body: RevertBody,
      example: { to_version: 3 },
      reply: Client,
      problems: ['duplicate_name', 'external_id_taken'],
      run: (ctx, { id, body }) => revert(ctx, clientHistory, { id, ...body }),
    }),
  ],
  constraints: clientRefusals,
  events: [clientEvents, budgetEvents],
}
