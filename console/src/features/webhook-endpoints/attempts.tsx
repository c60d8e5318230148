import { IconChevronRight } from '@tabler/icons-react'
import { nameOf } from '../../data/choices.ts'
import type { Schema } from '../../flightdeck.ts'
import { Code, Json } from '../../ui/values/json.tsx'
import { Status } from '../../ui/values/status.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { type DeliveryDetails, isComing } from './queries.ts'
import styles from './webhooks.module.css'

type Attempt = Schema<'WebhookAttempt'>

/** Newest first; the newest is open. */
export function Attempts({ delivery }: { delivery: DeliveryDetails }) {
  const attempts = delivery.attempts.toReversed()
  if (attempts.length === 0) {
    return <Soft>{delivery.status === 'pending' ? 'On its way…' : 'None was made.'}</Soft>
  }
  return (
    <ol className={styles.attempts}>
      {isComing(delivery) && (
        <li key="next">
          <Soft>Attempt {attempts.length + 1} is on its way…</Soft>
        </li>
      )}
      {attempts.map((attempt, at) => (
        <li key={attempt.number}>
          <AttemptDetails attempt={attempt} isOpen={at === 0} />
        </li>
      ))}
    </ol>
  )
}

const resultOf = ({ response_status: code, error }: Attempt): string =>
  code === null ? nameOf(error?.kind ?? 'no_response') : `${code}`

function AttemptDetails({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { error, response_headers: headers, response_body: body } = attempt
  return (
    <details className={styles.attempt} open={isOpen}>
      <summary className={styles.summary}>
        <IconChevronRight aria-hidden className={styles.mark} />
        <span className={styles.number}>Attempt {attempt.number}</span>
        <Status tone={error ? 'bad' : 'good'}>{resultOf(attempt)}</Status>
        <Time time={attempt.started_at} exact />
        <Soft>{nameOf(attempt.trigger)}</Soft>
        <span className={styles.duration}>{attempt.duration_ms} ms</span>
      </summary>
      <div className={styles.attemptBody}>
        {error && <p>{error.message}</p>}
        <Soft>
          {attempt.address ? `Connected to ${attempt.address}.` : 'No connection was made.'}
        </Soft>
        <Json
          name={`Request headers of attempt ${attempt.number}`}
          value={attempt.request_headers}
        />
        {headers && <Json name={`Response headers of attempt ${attempt.number}`} value={headers} />}
        {body && <Code name={`Response body of attempt ${attempt.number}`} text={body} />}
      </div>
    </details>
  )
}
