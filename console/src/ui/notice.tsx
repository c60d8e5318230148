import { isProblem } from '@flightdeckhq/sdk'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isUpdated } from '../data/code.ts'
import { words } from '../data/words.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './notice.module.css'
import { troubleOf } from './problem.ts'
import { ObjectLink } from './values/object-link.tsx'

type NoticeProps = { tone?: 'info' | 'good' | 'warn' | 'bad'; title: string; children?: ReactNode }

const icons = {
  info: IconInfoCircle,
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
}

export function Notice({ tone = 'info', title, children }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div
      className={classes(styles.notice, tone !== 'info' && styles[tone])}
      role={tone === 'bad' ? 'alert' : 'note'}
    >
      <Icon aria-hidden size={18} />
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
    </div>
  )
}

type ProblemProps = {
  error: unknown
  /** A hint at the place of the service's own words, if they stand there already. */
  about?: string | undefined
  children?: ReactNode
}

/** A refusal or failure, in the words of the service. */
export function ProblemNotice({ error, about, children }: ProblemProps) {
  const { title, detail, requestId } = troubleOf(error)
  return (
    <Notice
      tone={isUpdated(error) ? 'info' : 'bad'}
      title={about ? 'Something has to be corrected' : title}
    >
      {detail !== `${title}.` && <p>{about ?? detail}</p>}
      {isProblem(error, 'resource_in_use') && <References {...error.problem} />}
      {children}
      {requestId && !about && <p className={styles.request}>Request {requestId}</p>}
    </Notice>
  )
}

type ReadFailedProps = { error: unknown; retry: () => unknown }

/** The reason why a read failed, and the way to ask once more. */
export const ReadFailed = ({ error, retry }: ReadFailedProps) => (
  <ProblemNotice error={error}>
    {isProblem(error, 'insufficient_role') ? null : (
      <div>
        {isUpdated(error) ? (
          <Button small look="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        ) : (
          <Button small onClick={() => void retry()}>
            Try again
          </Button>
        )}
      </div>
    )}
  </ProblemNotice>
)

type Reference = { type: string; id: string; name: string }
type ReferencesProps = { references: readonly Reference[]; reference_count: number }

/** Links to the objects that still refer to one. */
const References = ({ references, reference_count: count }: ReferencesProps) => (
  <ul className={styles.references}>
    {references.map(({ type, id, name }) => (
      <li key={id}>
        {words(type)}{' '}
        <ObjectLink type={type} id={id}>
          {name}
        </ObjectLink>
      </li>
    ))}
    {count > references.length && <li>and {count - references.length} more</li>}
  </ul>
)
