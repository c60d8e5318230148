import { Money } from '../../../../ui/values/money.tsx'
import { Soft } from '../../../../ui/values/text.tsx'
import { PacingBar } from '../../../pacing/bar.tsx'
import { ShortStatus } from '../../../pacing/status.tsx'
import gridStyles from '../grid.module.css'
import styles from './pacing-cell.module.css'
import { type RowPacing, usePacing } from './pacing-of-rows.ts'

export type PacingFigure = 'spend' | 'pacing' | 'status' | 'projected' | 'at_risk'

type CellProps = {
  id: string
  figure: PacingFigure
}

/** A figure of the campaign's pacing, once it is read. */
export default function PacingCell({ id, figure }: CellProps) {
  const pacing = usePacing(id)
  if (pacing === undefined) return <span className={gridStyles.unread} />
  if (figure === 'status')
    return typeof pacing === 'object' ? <ShortStatus pacing={pacing} /> : null
  if (pacing === 'none') return <Soft>–</Soft>
  if (pacing === 'failed') return <Soft>Not available</Soft>
  return figure === 'pacing' ? (
    <Index pacing={pacing} />
  ) : (
    <Amount pacing={pacing} figure={figure} />
  )
}

const Index = ({ pacing }: { pacing: RowPacing }) => (
  <span className={styles.index}>
    {pacing.pacing_index !== null && <PacingBar index={pacing.pacing_index} />}
    <ShortStatus pacing={pacing} />
  </span>
)

const amounts = {
  spend: 'spent_minor',
  projected: 'projected_minor',
  at_risk: 'money_at_risk_minor',
} as const

type AmountProps = { pacing: RowPacing; figure: keyof typeof amounts }

const Amount = ({ pacing, figure }: AmountProps) => (
  <Money
    minor={pacing[amounts[figure]]}
    currency={pacing.currency}
    exponent={pacing.currency_exponent}
    none={figure === 'spend' ? 'No data' : '–'}
  />
)
