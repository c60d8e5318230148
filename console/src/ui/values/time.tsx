import { useTick } from '../../data/clock.ts'
import {
  formatAge,
  formatExactTime,
  formatSecond,
  formatTime,
  ownZone,
  zoneNote,
} from '../../data/values/time.ts'
import { Tooltip } from '../layers/tooltip.tsx'
import styles from './text.module.css'
import { Soft } from './text.tsx'

type TimeProps = {
  time: string | null
  zone?: string
  none?: string
  /** With seconds. */
  exact?: boolean
}

/**
 * The one door for times that are shown: on the reader's clock, or on a zone's with its name beside
 * it. The same in UTC on hover and focus.
 */
export function Time({ time, zone = ownZone, none = '–', exact }: TimeProps) {
  if (time === null) return <span className={styles.soft}>{none}</span>
  const note = zoneNote(time, zone)
  const clocks = note === null ? [zone, 'UTC'] : [zone, ownZone, 'UTC']
  const text = clocks.map((each) => formatExactTime(time, each)).join(' · ')
  return (
    <Tooltip text={text}>
      <time dateTime={time} className={styles.time}>
        {exact ? formatSecond(time, zone) : formatTime(time, zone)}
        {note && <Soft> {note}</Soft>}
      </time>
    </Tooltip>
  )
}

type AgeProps = {
  time: string | null
  none?: string
  /** Set for times of credentials and the machine, which go by real time in sandboxes, too. */
  isReal?: boolean
}

/** How long ago, or until, by the clock of the organization; the exact times on hover and focus. */
export function Age({ time, none = 'Never', isReal = false }: AgeProps) {
  const { organization, real } = useTick()
  const now = isReal ? real : organization
  if (time === null) return <span className={styles.soft}>{none}</span>
  return (
    <Tooltip text={`${formatExactTime(time)} · ${formatExactTime(time, 'UTC')}`}>
      <time dateTime={time} className={styles.time}>
        {formatAge(time, Math.max(now, Date.parse(time) > now + 60_000 ? now : Date.parse(time)))}
      </time>
    </Tooltip>
  )
}

type ByProps = { time: string; name: string | null | undefined }

/** When it was done, and by whom. */
export const By = ({ time, name }: ByProps) => (
  <>
    <Time time={time} /> {name && `by ${name}`}
  </>
)
