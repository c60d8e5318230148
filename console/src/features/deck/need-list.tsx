import {
  IconAlertTriangle,
  IconChevronRight,
  IconCircleX,
  IconClipboardCheck,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { classes } from '../../ui/classes.ts'
import styles from './deck.module.css'
import type { Need } from './needs.ts'

const icons = { info: IconClipboardCheck, warn: IconAlertTriangle, bad: IconCircleX }
const ranks = { bad: 0, info: 1, warn: 2 }

/** Each line leads to where it is dealt with; the worst comes first. */
export const NeedList = ({ needs }: { needs: readonly Need[] }) => (
  <ul className={styles.needs}>
    {needs
      .toSorted((one, other) => ranks[one.tone] - ranks[other.tone])
      .map(({ id, tone, title, detail, at }) => {
        const Icon = icons[tone]
        return (
          <li key={id}>
            <Link {...at} className={styles.need}>
              <Icon aria-hidden className={classes(styles.icon, styles[tone])} />
              <span className={styles.text}>
                <span className={styles.title}>{title}</span>
                <span className={styles.detail}>{detail}</span>
              </span>
              <IconChevronRight aria-hidden className={styles.on} />
            </Link>
          </li>
        )
      })}
  </ul>
)
