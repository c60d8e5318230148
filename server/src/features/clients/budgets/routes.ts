import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { monthRangeParameters } from '../../../query/months.ts'
import { readClients, tag, writeBudgets } from '../resource.ts'
import { deleteBudget, listBudgets, putBudget } from './budgets.ts'
import { BudgetBody, ClientBudget, ClientBudgets } from './schema.ts'

export const budgetEndpoints: readonly Endpoint[] = [
  endpoint({
    operation: 'listClientBudgets',
    tag,
    summary: 'List the budgets of a client by month',
    description:
      'Months are those of the client’s time zone, else the organization’s. One without a budget has null amounts.',
    method: 'GET',
    path: '/clients/:id/budgets',
    permission: readClients,
    query: monthRangeParameters,
    reply: ClientBudgets,
    run: (ctx, { id, query }) => listBudgets(ctx, id, query),
  }),
  endpoint({
    operation: 'putClientBudget',
    tag,
    summary: 'Set the budget of a client in a month',
    description: 'Replaces it as a whole: currencies that are left out have none.',
    method: 'PUT',
    path: '/clients/:id/budgets/:month',
    permission: writeBudgets,
    action: 'client.budget_changed',
    body: BudgetBody,
    example: { amounts: { USD: 12_000, EUR: 3_000 }, note: 'Signed on 12 November.' },
    gathersFaults: true,
    mayCreate: true,
    isVersioned: true,
    reply: ClientBudget,
    run: (ctx, { id, innerId, body }) => putBudget(ctx, { clientId: id, month: innerId }, body),
  }),
  endpoint({
    operation: 'deleteClientBudget',
    tag,
    summary: 'Delete the budget of a client in a month',
    description: 'The month has none then: nothing stops, and pacing goes by what is planned.',
    method: 'DELETE',
    path: '/clients/:id/budgets/:month',
    permission: writeBudgets,
    action: 'client.budget_changed',
    deletes: ClientBudget,
    isVersioned: true,
    status: 204,
    run: (ctx, { id, innerId }) => deleteBudget(ctx, { clientId: id, month: innerId }),
  }),
]
