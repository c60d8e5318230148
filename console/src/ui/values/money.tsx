import { formatMoney } from '../../data/values/money.ts'
import { classes } from '../classes.ts'
import styles from './text.module.css'

type MoneyProps = { minor: number | null; currency: string; exponent: number; none?: string }

export const Money = ({ minor, currency, exponent, none = '–' }: MoneyProps) => (
  <span className={classes(styles.money, minor === null && styles.soft)}>
    {minor === null ? none : formatMoney({ minor, currency, exponent })}
  </span>
)
