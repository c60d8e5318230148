import { Type } from 'typebox'
import { problemKinds } from '../../problems/codes.ts'

const CurrencyFacts = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217.' }),
    exponent: Type.Integer({ description: 'Number of decimals: JPY 0, USD 2, KWD 3.' }),
    minimum_budget_minor: Type.Integer({ description: 'Minimum budget, in minor units.' }),
  },
  { title: 'Currency' },
)
export const CurrencyList = Type.Object(
  { data: Type.Array(CurrencyFacts) },
  { title: 'CurrencyList' },
)

const ErrorFacts = Type.Object(
  {
    code: Type.String({ enum: Object.keys(problemKinds) }),
    status: Type.Integer(),
    title: Type.String(),
    retry: Type.String({ enum: ['transient', 'correctable', 'terminal'] }),
    cause: Type.String(),
    fix: Type.String(),
    type: Type.String({ description: 'URL of its documentation.' }),
  },
  { title: 'ErrorKind' },
)
export const ErrorList = Type.Object(
  {
    data: Type.Array(ErrorFacts),
    item_codes: Type.Array(Type.String(), { description: 'Codes of the items of `errors[]`.' }),
  },
  { title: 'ErrorKindList' },
)
