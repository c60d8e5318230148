import { endpoint, type Feature } from '../../http/endpoint.ts'
import type { Context } from '../../kernel/context.ts'
import { problemKinds } from '../../problems/codes.ts'
import { faultCodes } from '../../problems/fault-codes.ts'
import { currencies, exponentOf, minimumMinor } from '../../values/money.ts'
import { CurrencyList, ErrorList } from './schema.ts'

const tag = 'Reference'

/** Reference data that belongs to no feature in particular. */
export const reference: Feature = {
  endpoints: [
    endpoint({
      operation: 'listCurrencies',
      tag,
      summary: 'List currencies',
      method: 'GET',
      path: '/reference/currencies',
      permission: 'self.use',
      reply: CurrencyList,
      run: async (ctx) => ({ data: currencies.map((currency) => factsOf(ctx, currency)) }),
    }),
    endpoint({
      operation: 'listErrors',
      tag,
      summary: 'List error codes',
      method: 'GET',
      path: '/reference/errors',
      permission: 'self.use',
      reply: ErrorList,
      run: async () => errorList,
    }),
  ],
}

function factsOf({ services }: Context, currency: string) {
  const exponent = exponentOf(currency) ?? 2
  const minimum = minimumMinor(currency, exponent, services.config.minimumBudgets)
  return { currency, exponent, minimum_budget_minor: minimum }
}

const errorList = {
  data: Object.entries(problemKinds).map(([code, kind]) => ({
    code,
    ...kind,
    type: `/problems/${code}`,
  })),
  item_codes: [...faultCodes],
}
