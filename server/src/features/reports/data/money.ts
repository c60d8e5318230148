/** Amounts and shares as sentences and pages show them. Pure. */

import { exponentFor, toMajor } from '../../../values/money.ts'

export const amountText = (minor: number, currency: string): string => {
  const digits = exponentFor(currency)
  const bounds = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${new Intl.NumberFormat('en', bounds).format(toMajor(minor, digits))} ${currency}`
}

export const countText = (count: number): string =>
  new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(count)

export const percentText = (share: number): string =>
  `${new Intl.NumberFormat('en', { maximumFractionDigits: 0 }).format(share * 100)} %`
