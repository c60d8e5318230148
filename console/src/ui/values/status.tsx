import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
} from '@tabler/icons-react'
import type { Tone } from '../../data/words.ts'
import { classes } from '../classes.ts'
import styles from './status.module.css'

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  info: IconClock,
  neutral: IconCircle,
}

/** A state: always an icon and a word, never a color alone. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  const Icon = icons[tone]
  return (
    <span className={classes(styles.status, tone !== 'neutral' && styles[tone])}>
      <Icon aria-hidden />
      {children}
    </span>
  )
}
