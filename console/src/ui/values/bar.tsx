import type { Tone } from '../../data/words.ts'
import { classes } from '../classes.ts'
import styles from './bar.module.css'

type BarProps = { share: number; tone?: Tone }

/** A share as a line, beside the number that says the same. */
export const Bar = ({ share, tone = 'info' }: BarProps) => (
  <span className={styles.bar} aria-hidden>
    <span
      className={classes(styles.fill, styles[tone])}
      // A little is more than nothing.
      style={{ inlineSize: share <= 0 ? 0 : `max(2px, ${Math.min(100, share * 100)}%)` }}
    />
  </span>
)
