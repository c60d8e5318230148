import type { EventTypes } from '../../../kernel/event-types.ts'
import { exampleId } from '../../../values/ids.ts'
import { clientIds, readClients } from '../../clients/resource.ts'
import { ClientPacing } from './schema.ts'

const example: ClientPacing = {
  client_id: exampleId(clientIds),
  client: 'Northwind Traders',
  currency: 'USD',
  currency_exponent: 2,
  month: '2026-11',
  budget_minor: 1_200_000,
  planned_minor: 1_250_000,
  spent_minor: 930_000,
  expected_minor: 800_000,
  projected_minor: 1_395_000,
  pacing_index: 1.1625,
  money_at_risk_minor: 195_000,
  status: 'over',
  campaigns: { active: 12, paused: 2 },
  complete_through: '2026-11-20',
}

export const clientPacingEvents: EventTypes = {
  resource: 'client',
  permission: readClients,
  schema: ClientPacing,
  makesNoVersion: true,
  types: {
    'client.pacing_changed': {
      description: 'The status of a client’s pacing in a currency changed.',
      object: example,
      previous: { status: 'on_track' },
    },
  },
}
