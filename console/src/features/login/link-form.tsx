import { FlightdeckError } from '@flightdeckhq/sdk'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { FormValues } from '../../data/drafts.ts'
import { Button } from '../../ui/button.tsx'
import type { Form } from '../../ui/fields/form.ts'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { faultsOf } from '../../ui/problem.ts'
import styles from './login.module.css'

type LinkFormProps<Of extends FormValues> = {
  form: Form<Of>
  verb: string
  submit: (values: Of) => Promise<unknown>
  /** The way on where the link works no longer. */
  over?: string
  children: ReactNode
}

/** A form that needs no session; it says in plain words where its link is over. */
export function LinkForm<Of extends FormValues>(props: LinkFormProps<Of>) {
  const { form, verb, submit, over, children } = props
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await submit(form.values)
    } catch (thrown) {
      setError(thrown)
      form.setFaults(faultsOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} noValidate onSubmit={send}>
      {error !== null &&
        (over && isOver(error) ? (
          <Notice tone="warn" title="This link works no longer.">
            <p>{over}</p>
          </Notice>
        ) : (
          <ProblemNotice error={error} />
        ))}
      {children}
      <Button type="submit" look="primary" busy={isBusy}>
        {verb}
      </Button>
    </form>
  )
}

const isOver = (error: unknown): boolean =>
  error instanceof FlightdeckError && (error.status === 404 || error.status === 410)
