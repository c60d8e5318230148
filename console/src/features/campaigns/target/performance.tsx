import { nameOf } from '../../../data/choices.ts'
import type { Tone } from '../../../data/words.ts'
import { Status } from '../../../ui/values/status.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { PacingBar } from '../../pacing/bar.tsx'
import styles from './performance.module.css'
import { type InCurrency, metricName, metricText, type Performance } from './words.ts'

const tones: Readonly<Record<string, Tone>> = { on_target: 'good', off_target: 'bad' }

type JudgedProps = { performance: Performance; currency: InCurrency }

/** The status in a word, the index as a bar around 1.00, and the value. */
export const Judged = ({
  performance: { status, index, metric, value },
  currency,
}: JudgedProps) => (
  <span className={styles.judged}>
    <Status tone={tones[status] ?? 'neutral'}>{nameOf(status)}</Status>
    {index !== null && <PacingBar index={index} />}
    {value !== null && (
      <Soft>
        {metricName(metric)} {metricText({ metric, value }, currency)}
      </Soft>
    )}
  </span>
)
