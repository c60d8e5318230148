import { Type } from 'typebox'
import { idOf, minorUnits, orNull, pageOfSchema, rows, text } from '../../../schema/fields.ts'
import { monthPattern } from '../../../values/times.ts'
import { clientIds } from '../../clients/resource.ts'
import { PacingStatusName } from '../pacing/schema.ts'

export const ClientPacing = Type.Object(
  {
    client_id: idOf(clientIds, 'The client.'),
    client: text('Its name.'),
    currency: text('ISO 4217 code of the amounts.'),
    currency_exponent: Type.Integer({ description: 'Number of decimals of the currency.' }),
    month: Type.String({ pattern: monthPattern, description: 'Calendar month.' }),
    budget_minor: orNull(minorUnits('To be spent; null: no budget.')),
    planned_minor: orNull(
      minorUnits('What its campaigns may spend; null: not known, after next month.'),
    ),
    spent_minor: orNull(minorUnits('Reported; null: nothing yet.')),
    expected_minor: orNull(minorUnits('To be spent by `complete_through`.')),
    projected_minor: orNull(minorUnits('By the end, at the rate of the last 7 complete days.')),
    pacing_index: orNull(Type.Number({ description: 'Spent by `complete_through` ÷ expected.' })),
    money_at_risk_minor: orNull(minorUnits('Projected less the budget, or the reverse.')),
    status: PacingStatusName,
    campaigns: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many it has in this currency, by status.',
    }),
    complete_through: orNull(
      Type.String({
        format: 'date',
        description: 'The last day reported in full for all its running campaigns.',
      }),
    ),
  },
  { title: 'ClientPacing', description: 'Spending of a client in a month beside its budget.' },
)
export type ClientPacing = Type.Static<typeof ClientPacing>

export const ClientPacingList = pageOfSchema(ClientPacing)

export const ClientMonth = Type.Object(
  { data: rows(ClientPacing, 'One a currency, in their order.') },
  { title: 'ClientMonth' },
)
export type ClientMonth = Type.Static<typeof ClientMonth>
