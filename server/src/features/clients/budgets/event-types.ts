import type { EventTypes } from '../../../kernel/event-types.ts'
import { exampleId } from '../../../values/ids.ts'
import { userIds } from '../../members/resource.ts'
import { clientIds, readClients } from '../resource.ts'
import { ClientBudget } from './schema.ts'

const example: ClientBudget = {
  id: exampleId(clientIds),
  name: 'Northwind Traders',
  month: '2026-12',
  amounts: [{ currency: 'USD', currency_exponent: 2, amount: 12_000, amount_minor: 1_200_000 }],
  note: 'Signed on 12 November.',
  version: 2,
  updated_at: '2026-11-21T09:30:00.000Z',
  updated_by: exampleId(userIds),
}

export const budgetEvents: EventTypes = {
  resource: 'client',
  permission: readClients,
  schema: ClientBudget,
  makesNoVersion: true,
  types: {
    'client.budget_changed': {
      description: 'The budget of a client in a month changed; without amounts, it was deleted.',
      object: example,
      previous: { note: null },
    },
  },
}
