import { Type } from 'typebox'
import { problemKinds } from '../../problems/codes.ts'
import { fieldFaults } from '../../problems/fault-codes.ts'
import { choice, rows, text, texts } from '../../schema/fields.ts'
import { keysOf } from '../../values/objects.ts'

const CurrencyFacts = Type.Object(
  {
    currency: text('ISO 4217 code.'),
    exponent: Type.Integer({ description: 'Number of decimals: JPY 0, USD 2, KWD 3.' }),
    minimum_budget_minor: Type.Integer({ description: 'Minimum budget, in minor units.' }),
  },
  { title: 'Currency' },
)
export const CurrencyList = Type.Object(
  { data: rows(CurrencyFacts, 'Every supported currency, by code.') },
  { title: 'CurrencyList' },
)

const ErrorFacts = Type.Object(
  {
    code: choice(keysOf(problemKinds), { description: 'The code.' }),
    status: Type.Integer({ description: 'HTTP status of its responses.' }),
    title: text('What it means.'),
    retry: choice(['transient', 'correctable', 'terminal'], {
      description: 'Whether the request can succeed: later as it is, corrected, or never.',
    }),
    cause: text('When it occurs.'),
    fix: text('What to do.'),
    type: text('Path of the page about it.'),
  },
  { title: 'ErrorKind' },
)
const FaultFacts = Type.Object(
  {
    code: choice(keysOf(fieldFaults), { description: 'The code.' }),
    cause: text('When it occurs.'),
    fix: text('What to do.'),
    type: text('Path of the page about it.'),
  },
  { title: 'FaultKind' },
)
export const ErrorList = Type.Object(
  {
    data: rows(ErrorFacts, 'Every code of a problem.'),
    field_faults: Type.Array(FaultFacts, {
      description: 'Faults of one field, which are in `errors[]` only.',
    }),
    item_codes: texts('Codes of the items of `errors[]`.'),
  },
  { title: 'ErrorKindList' },
)
