import { Money } from '../../../ui/values/money.tsx'
import type { ClientPacing } from './figures.ts'

export type Figure =
  | 'budget_minor'
  | 'planned_minor'
  | 'spent_minor'
  | 'expected_minor'
  | 'projected_minor'
  | 'money_at_risk_minor'

/** Words for an amount that is not there. */
const none: Partial<Record<Figure, string>> = {
  budget_minor: 'No budget',
  planned_minor: 'Not known',
  spent_minor: 'No data',
}

export const Amount = ({ pacing, figure }: { pacing: ClientPacing; figure: Figure }) => (
  <Money
    minor={pacing[figure]}
    currency={pacing.currency}
    exponent={pacing.currency_exponent}
    none={none[figure] ?? '–'}
  />
)
