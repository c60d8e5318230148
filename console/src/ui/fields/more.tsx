import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from '../fields.module.css'
import type { FieldState } from './form.ts'

type MoreProps = {
  /** The names of its fields, in words. */
  about: string
  fields: readonly FieldState<unknown>[]
  children: ReactNode
}

/** Fields for experts: folded, unless one of them has a value or a fault. */
export function More({ about, fields, children }: MoreProps) {
  const element = useRef<HTMLDetailsElement>(null)
  const [isOpenAtFirst] = useState(() => fields.some(({ value }) => isGiven(value)))
  const isFaulty = fields.some(({ fault }) => fault !== undefined)
  // At once, so that the focus can go to the fault; a correction does not fold it again.
  useLayoutEffect(() => {
    if (isFaulty && element.current) element.current.open = true
  }, [isFaulty])
  return (
    <details ref={element} open={isOpenAtFirst} className={styles.more}>
      <summary>More: {about}</summary>
      <div className={styles.form}>{children}</div>
    </details>
  )
}

const isGiven = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
