import { major } from '../money.ts'
import type { Values } from '../read.ts'

const spending = new Set(['active', 'scheduled'])

/** What of a campaign may be spent on a day, in minor units; nothing of a lifetime budget. */
function dailyMinor({ status, daily_budget_minor: minor }: Values): bigint {
  return spending.has(String(status)) && typeof minor === 'number' ? BigInt(minor) : 0n
}

/** How much more or less a day costs, by currency, as "120.00 USD less"; '' where nothing moves. */
export function costText(pairs: readonly { before: Values; after: Values }[]): string {
  const moved = new Map<string, { minor: bigint; exponent: number }>()
  for (const { before, after } of pairs) {
    const currency = String(after.currency ?? before.currency ?? '')
    const { minor } = moved.get(currency) ?? { minor: 0n }
    moved.set(currency, {
      minor: minor + dailyMinor(after) - dailyMinor(before),
      // A deleted one has no currency any more.
      exponent: Number(after.currency_exponent ?? before.currency_exponent ?? 0),
    })
  }
  return [...moved]
    .filter(([, { minor }]) => minor !== 0n)
    .map(([currency, { minor, exponent }]) =>
      minor > 0n
        ? `${major(minor, exponent)} ${currency} more`
        : `${major(-minor, exponent)} ${currency} less`,
    )
    .join(', ')
}
