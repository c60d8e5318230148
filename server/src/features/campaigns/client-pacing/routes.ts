import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { filterParameters, listParameters } from '../../../query/list.ts'
import { monthFilter } from '../../../query/months.ts'
import { readClients, tag } from '../../clients/resource.ts'
import { clientPacingList, getClientPacing, listClientPacing } from './list.ts'
import { ClientMonth, ClientPacingList } from './schema.ts'

export const clientPacingEndpoints: readonly Endpoint[] = [
  endpoint({
    operation: 'getClientPacing',
    tag,
    summary: 'Get the pacing of a client in a month',
    description:
      'By currency: budget, plan and spending. It follows reports at once, and changes of campaigns within seconds.',
    method: 'GET',
    path: '/clients/:id/pacing',
    permission: readClients,
    query: filterParameters({
      month: monthFilter('Calendar month. Default: the client’s present one.'),
    }),
    reply: ClientMonth,
    run: (ctx, { id, query }) => getClientPacing(ctx, id, query),
  }),
  endpoint({
    operation: 'listClientPacing',
    tag,
    summary: 'List the pacing of clients in a month',
    description:
      'By client and currency, the most money at risk first. Order and the filter `status` follow within seconds.',
    method: 'GET',
    path: '/pacing/clients',
    permission: readClients,
    query: listParameters(clientPacingList),
    reply: ClientPacingList,
    run: (ctx, { query }) => listClientPacing(ctx, query),
  }),
]
