import { useScreenState } from '../../../data/search.ts'
import { addMonths, formatMonth } from '../../../data/values/months.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './month-choice.module.css'

/** Goes from the month that is shown to those beside it, in the address. */
export function MonthChoice({ month }: { month: string }) {
  const [, setSearch] = useScreenState()
  const go = (count: number) => setSearch({ month: addMonths(month, count) })
  return (
    <div className={styles.months}>
      <Button small onClick={() => go(-1)}>
        Month before
      </Button>
      <strong>{formatMonth(month)}</strong>
      <Button small onClick={() => go(1)}>
        Month after
      </Button>
    </div>
  )
}
