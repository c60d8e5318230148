import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
} from '@tabler/icons-react'
import { classes } from '../classes.ts'
import styles from './status.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

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

/** `pending_review` → `Pending review`. */
export const words = (name: string): string => {
  const text = name.replaceAll('_', ' ')
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`
}
