import { Type } from 'typebox'
import { AmountsIn } from '../../../schema/amounts.ts'
import {
  bodyOf,
  idOf,
  minorUnits,
  moneyOut,
  Notes,
  nameBeside,
  orNull,
  rows,
  text,
  time,
  Version,
} from '../../../schema/fields.ts'
import { monthPattern } from '../../../values/times.ts'
import { clientIds } from '../resource.ts'

/** Far more than a client pays in. */
const maxCurrencies = 50

const BudgetAmount = Type.Object(
  {
    currency: text('ISO 4217 code of the amount.'),
    currency_exponent: Type.Integer({ description: 'Number of decimals of the currency.' }),
    amount: moneyOut('To be spent in the month; 0: nothing.'),
    amount_minor: minorUnits('The same.'),
  },
  { title: 'BudgetAmount' },
)
export type BudgetAmount = Type.Static<typeof BudgetAmount>

const amounts = Type.Array(BudgetAmount, { description: 'One a currency, in their order.' })
const note = orNull(Notes)
const month = Type.String({ pattern: monthPattern, description: 'Calendar month.' })
const updatedAt = time('When it was last changed.')
const updatedBy = orNull(text('Id of the user or API key that last changed it.'))

export const ClientBudget = Type.Object(
  {
    id: idOf(clientIds, 'The client.'),
    name: text('Name of the client.'),
    month,
    amounts,
    note,
    version: Version,
    updated_at: updatedAt,
    updated_by: updatedBy,
    updated_by_name: nameBeside('updated_by'),
  },
  { title: 'ClientBudget', description: 'What a client may spend in a month, by currency.' },
)
export type ClientBudget = Type.Static<typeof ClientBudget>

const BudgetMonth = Type.Object(
  {
    month,
    amounts: orNull(amounts),
    note,
    version: orNull(Version),
    updated_at: orNull(updatedAt),
    updated_by: updatedBy,
    updated_by_name: nameBeside('updated_by'),
  },
  {
    title: 'BudgetMonth',
    description: 'A month of a client’s plan; all is null where it has no budget.',
  },
)
export type BudgetMonth = Type.Static<typeof BudgetMonth>

export const ClientBudgets = Type.Object(
  { data: rows(BudgetMonth, 'Each month asked for, in order.') },
  { title: 'ClientBudgets' },
)
export type ClientBudgets = Type.Static<typeof ClientBudgets>

export const BudgetBody = bodyOf(
  {
    amounts: AmountsIn('By currency, in major units; 0 says: nothing.', {
      minProperties: 1,
      maxProperties: maxCurrencies,
      examples: [{ USD: 12_000, EUR: 3_000 }],
    }),
    note: Type.Optional(note),
  },
  { title: 'ClientBudgetInput' },
)
export type BudgetBody = Type.Static<typeof BudgetBody>
