/** Amounts by currency, as they are sent in bodies and shown in replies. */

import { Type } from 'typebox'
import type { Fault } from '../problems/fault.ts'
import {
  type Amounts,
  exponentOf,
  type MoneyInput,
  readMoney,
  type Sign,
  toMajor,
  unsupportedCurrency,
} from '../values/money.ts'
import { moneyIn, moneyOut } from './fields.ts'

const byCurrency = {
  type: 'object',
  maxProperties: 200,
  propertyNames: { pattern: '^[A-Z]{3}$' },
  examples: [{ USD: 1000 }],
}

export const AmountsOut = (description: string) =>
  Type.Unsafe<Record<string, number>>({
    ...byCurrency,
    additionalProperties: moneyOut('Amount.'),
    description,
  })

export const AmountsIn = (description: string, options: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, MoneyInput>>({
    ...byCurrency,
    additionalProperties: moneyIn('Amount.'),
    description,
    ...options,
  })

type AmountReading = { pointer: string; faults: Fault[]; sign?: Sign }

/** In minor units, in the order of the currencies; what is wrong is added to the faults. */
export function readAmounts(
  input: Readonly<Record<string, MoneyInput>>,
  { pointer, faults, sign }: AmountReading,
): Amounts {
  const read = Object.entries(input).map(([currency, amount]): [string, number] => {
    const place = `${pointer}/${currency}`
    if (exponentOf(currency) === undefined) {
      faults.push(unsupportedCurrency(place, currency))
      return [currency, 0]
    }
    const money = readMoney(amount, currency, place, sign)
    if ('fault' in money) faults.push(money.fault)
    return [currency, 'minor' in money ? money.minor : 0]
  })
  return Object.fromEntries(read.sort(([one], [other]) => (one < other ? -1 : 1)))
}

export const amountsInMajor = (amounts: Amounts): Record<string, number> =>
  Object.fromEntries(
    Object.entries(amounts).map(([currency, minor]) => [
      currency,
      toMajor(minor, exponentOf(currency) ?? 2),
    ]),
  )
