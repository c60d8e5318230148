import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Fault } from '../../../problems/fault.ts'
import { type Filter, oneCurrencyIn } from '../../../query/filters.ts'
import {
  exponentFor,
  exponentOf,
  largestExponent,
  maxAmountLength,
  readMoney,
} from '../../../values/money.ts'

/** In major units, across currencies with different numbers of decimals; an index has it. */
export const dailyBudgetKey = sql`daily_budget_minor * power(10, ${sql.lit(largestExponent)} - currency_exponent)::bigint`

const keyOf = (minor: number, currency: string): number =>
  minor * 10 ** (largestExponent - exponentFor(currency))

const withoutCurrency = (parameter: string): Fault => ({
  parameter,
  code: 'required',
  message: 'needs the filter currency with one currency',
})

const budgetFilter = (operator: '>=' | '<='): Filter => ({
  schema: Type.String({
    maxLength: maxAmountLength,
    description: `A daily budget of at ${operator === '>=' ? 'least' : 'most'} this amount, in major units. Needs \`currency\` with one currency.`,
    examples: ['33.51'],
  }),
  read([text = ''], name, received) {
    const currency = oneCurrencyIn(received)
    if (currency === undefined) return { fault: withoutCurrency(name) }
    // Its own filter refuses it.
    if (exponentOf(currency) === undefined) return { condition: sql<boolean>`false` }
    const read = readMoney(text, currency, '')
    if ('minor' in read) {
      const bound = keyOf(read.minor, currency)
      return { condition: sql<boolean>`${dailyBudgetKey} ${sql.raw(operator)} ${bound}::bigint` }
    }
    const { pointer: _, ...fault } = read.fault
    return { fault: { ...fault, parameter: name } }
  },
})

/** Both bounds are inclusive. */
export const budgetRange = {
  daily_budget_min: budgetFilter('>='),
  daily_budget_max: budgetFilter('<='),
}
