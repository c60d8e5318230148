import { flightdeck } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './channels.module.css'
import type { Channel } from './queries.ts'

/** The channel after the test, while or if it is known. */
export type Tested = Channel | 'waiting' | 'unknown' | null

/** Says what came of a test. */
export const Answer = ({ answer }: { answer: Tested }) => (
  <div role="status" className={styles.answer}>
    {answer === 'waiting' && <Notice title="The test is on its way…" />}
    {answer === 'unknown' && (
      <Notice title="There is no answer yet.">
        <p>
          It is tried again by itself: “Last success” or “Last failure” will say what came of it.
        </p>
      </Notice>
    )}
    {typeof answer === 'object' && answer && <Outcome channel={answer} />}
  </div>
)

const Outcome = ({ channel: { last_error, name } }: { channel: Channel }) =>
  last_error === null ? (
    <Notice tone="good" title="The test was taken.">
      <p>Look for its message in {name}.</p>
    </Notice>
  ) : (
    <Notice tone="bad" title="The test was not taken.">
      <p>The reason: {last_error}.</p>
    </Notice>
  )

const reasons: Readonly<Record<string, string>> = {
  manual: 'It is notified nothing until it is switched on again.',
  failing: 'It took no message for a day. Repair it, then switch it on.',
  gone: 'It answered 410: it is gone. With another target, switch it on.',
}

type HealthProps = {
  channel: Channel
  /** Set where the outcome of a test is said above it. */
  isTested: boolean
}

/** The trouble of a channel, and the way out. */
export function Health({ channel, isTested }: HealthProps) {
  const switchOn = useSwitchOn(channel)
  const { status, disabled_reason: reason, consecutive_failures: failures, last_error } = channel
  if (status === 'disabled') {
    return (
      <Notice tone={reason === 'manual' ? 'info' : 'bad'} title="This channel is switched off.">
        <p>{reasons[reason ?? ''] ?? reason}</p>
        <div>
          <Button small blocked={switchOn.blocked} onClick={switchOn.run}>
            Switch on
          </Button>
        </div>
      </Notice>
    )
  }
  if (last_error === null || isTested) return null
  return (
    <Notice
      tone="warn"
      title={failures > 1 ? `The last ${failures} attempts failed.` : 'The last attempt failed.'}
    >
      <p>The reason: {last_error}.</p>
      {failures > 0 && <p>It is tried again; after a day of failures it is switched off.</p>}
    </Notice>
  )
}

export function useSwitchOn(channel: Channel) {
  const blocked = useBlocked('updateNotificationChannel')
  const run = () =>
    void flightdeck.notificationChannels
      .update(channel, { status: 'enabled' })
      .then(() => say('The channel is switched on'), sayTrouble)
  return { blocked, run }
}
