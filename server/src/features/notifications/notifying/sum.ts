import type { Fields } from '../../../schema/differences.ts'
import { exponentFor, toMajor } from '../../../values/money.ts'

/** The money that an object is about, in words; null without any. */
export function sumOf(object: Fields): string | null {
  const { spend_delta, spent_minor, currency } = object
  if (Array.isArray(spend_delta)) return deltas(spend_delta)
  if (typeof currency !== 'string') return null
  if (typeof spent_minor === 'number') return spending(object, currency)
  const { daily_budget_minor: daily, lifetime_budget_minor: lifetime } = object
  const parts = [
    ...(typeof daily === 'number' ? [`${money(daily, currency)} a day`] : []),
    ...(typeof lifetime === 'number' ? [`${money(lifetime, currency)} in all`] : []),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

const money = (minor: number, currency: string): string =>
  amountText(toMajor(minor, exponentFor(currency)), currency)

/** `1,250.00 USD` */
export function amountText(major: number, currency: string): string {
  const exponent = exponentFor(currency)
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent }
  return `${major.toLocaleString('en-US', digits)} ${currency}`
}

function spending({ spent_minor, ...object }: Fields, currency: string): string {
  const planned = [object.budget_minor, object.target_minor, object.planned_minor]
  const whole = planned.find((each) => typeof each === 'number')
  const spent = money(Number(spent_minor), currency)
  return typeof whole === 'number'
    ? `${spent} of ${money(whole, currency)} spent`
    : `${spent} spent`
}

/** A change set's sums before and after, by currency. */
function deltas(all: readonly Fields[]): string | null {
  const lines = all.flatMap(({ currency, ...sums }) => {
    const line = (before: unknown, after: unknown, per: string) =>
      before === after || typeof before !== 'number' || typeof after !== 'number'
        ? []
        : [`${money(before, String(currency))} → ${money(after, String(currency))} ${per}`]
    return [
      ...line(sums.daily_before_minor, sums.daily_after_minor, 'a day'),
      ...line(sums.lifetime_before_minor, sums.lifetime_after_minor, 'in all'),
    ]
  })
  return lines.length === 0 ? null : lines.slice(0, 4).join('; ')
}
