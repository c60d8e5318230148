import { IconCopy } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { say } from '../layers/toast.tsx'
import { Tooltip } from '../layers/tooltip.tsx'
import styles from './text.module.css'

export const Soft = ({ children }: { children: ReactNode }) => (
  <span className={styles.soft}>{children}</span>
)

export const Mono = ({ children }: { children: ReactNode }) => (
  <span className={styles.mono}>{children}</span>
)

/** The service's own words, with `names` of the API in them. */
export const Prose = ({ text }: { text: string }) =>
  text.split('`').map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stay in place.
    at % 2 === 0 ? part : <code key={at}>{part}</code>,
  )

/** A name of the API or an address, whose lines end between its words. */
export const Breaks = ({ text }: { text: string }) =>
  text.split(/(?<=[._@])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stay in place.
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ))

/** One line: what does not fit is cut, and whole on hover and focus. */
export const Cut = ({ text }: { text: string }) => (
  <Tooltip text={text} whenCut>
    <span dir="auto" className={styles.cut}>
      {text}
    </span>
  </Tooltip>
)

export const Labels = ({ labels }: { labels: readonly string[] }) =>
  labels.length === 0 ? (
    <Soft>–</Soft>
  ) : (
    <span className={styles.labels}>
      {labels.map((label) => (
        <span key={label} dir="auto" className={styles.label}>
          {label}
        </span>
      ))}
    </span>
  )

/** Copies, and says so. */
export const copyText = (text: string): Promise<void> =>
  // Plain http to another machine has no clipboard.
  (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => say('Copied'),
    () => say('Your browser does not allow copying here', { tone: 'bad' }),
  )

/** An id or a secret, to copy. */
export function Copy({ text, name = text }: { text: string; name?: string }) {
  return (
    <button
      type="button"
      className={styles.copy}
      onClick={() => void copyText(text)}
      aria-label={`Copy ${name}`}
    >
      <span dir="auto" className={styles.cut}>
        {text}
      </span>
      <IconCopy aria-hidden />
    </button>
  )
}
