import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { readReference } from '../../identity/permissions.ts'
import type { Context } from '../../kernel/context.ts'
import { problemKinds } from '../../problems/codes.ts'
import { faultCodes, fieldFaults } from '../../problems/fault-codes.ts'
import { currencies, exponentOf, minimumMinor } from '../../values/money.ts'
import { tag } from './resource.ts'
import { CurrencyList, ErrorList } from './schema.ts'

/** Reference data that belongs to no feature in particular. */
export const reference: Feature = {
  tag,
  permissions: [readReference],
  endpoints: [
    endpoint({
      operation: 'listCurrencies',
      tag,
      summary: 'List currencies',
      method: 'GET',
      path: '/reference/currencies',
      permission: readReference,
      reply: CurrencyList,
      run: async (ctx) => ({ data: currencies.map((currency) => currencyFactsOf(ctx, currency)) }),
    }),
    endpoint({
      operation: 'listErrors',
      tag,
      summary: 'List error codes',
      method: 'GET',
      path: '/reference/errors',
      permission: readReference,
      reply: ErrorList,
      run: async () => errorList,
    }),
  ],
}

function currencyFactsOf({ services }: Context, currency: string) {
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
  field_faults: Object.entries(fieldFaults).map(([code, kind]) => ({
    code,
    ...kind,
    type: `/problems/${code}`,
  })),
  item_codes: [...faultCodes],
}
