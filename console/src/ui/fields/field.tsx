import { IconAlertCircle } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import styles from '../fields.module.css'

export type Labelled = {
  label: string
  hint?: ReactNode
  /** `understood` where it goes without saying, as of a filter. */
  optional?: boolean | 'understood'
}

type Parts = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

type FieldProps = Labelled & {
  fault: string | undefined
  /** Below what is said of it. */
  after?: ReactNode
  children: (parts: Parts) => ReactNode
}

/** A label, a control, and what is said of it, tied together for those who hear it. */
export function Field({ label, hint, optional, fault, after, children }: FieldProps) {
  const id = useId()
  const about = fault || hint || after ? `${id}-about` : undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label} {optional === true && <span className={styles.optional}>(optional)</span>}
      </label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': fault ? true : undefined })}
      {about && (
        <div id={about}>
          {fault ? (
            <span className={styles.fault}>
              <IconAlertCircle aria-hidden />
              {fault}
            </span>
          ) : (
            hint && <span className={styles.hint}>{hint}</span>
          )}
          {after}
        </div>
      )}
    </div>
  )
}
