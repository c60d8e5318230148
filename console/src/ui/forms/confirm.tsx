import type { WriteOptions } from '@flightdeckhq/sdk'
import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { TextField } from '../fields/fields.tsx'
import fieldStyles from '../fields.module.css'
import { Dialog } from '../layers/dialog.tsx'
import { ReasonField, Refusal } from './write-fields.tsx'

type ConfirmProps<Result> = {
  /** `Delete Spring Sale 2026?`: names what goes. */
  title: string
  /** The consequences of the act. */
  text: string
  /** The verb on the button. */
  verb: string
  /** On the button that does nothing. */
  dismiss?: string
  danger?: boolean
  /** The reason why it cannot be done now. */
  blocked?: string | null
  /** The readers of the reason, if there must be one. */
  reasonFor?: string
  wide?: boolean
  run: (write: WriteOptions) => PromiseLike<Result>
  onDone: (result: Result) => void
  onClose: () => void
  /** Another way, beside the verb. */
  actions?: ReactNode
  /** Details of the act; given the reason that is typed. */
  children?: ReactNode | ((reason: string | null) => ReactNode)
}

/** Asks before what cannot be undone. */
export function Confirm<Result>({
  title,
  text,
  verb,
  dismiss = 'Cancel',
  danger,
  wide,
  actions,
  children,
  ...props
}: ConfirmProps<Result>) {
  const { reasonFor, blocked, onClose } = props
  const asking = useAsking(props)
  const missing = reasonFor && !asking.reason ? 'Give a reason.' : null
  return (
    <Dialog
      title={title}
      wide={wide === true}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{dismiss}</Button>
          {actions}
          <Button
            look={danger ? 'danger' : 'primary'}
            blocked={blocked ?? missing}
            busy={asking.isBusy}
            onClick={asking.confirm}
          >
            {verb}
          </Button>
        </>
      }
    >
      <div className={fieldStyles.form}>
        {asking.notice}
        <p>{text}</p>
        {typeof children === 'function' ? children(asking.reason) : children}
        {reasonFor ? (
          <TextField
            label="Reason"
            hint={reasonFor}
            name="reason"
            fault={undefined}
            value={asking.reason}
            onChange={asking.setReason}
          />
        ) : (
          <ReasonField value={asking.reason} onChange={asking.setReason} />
        )}
      </div>
    </Dialog>
  )
}

function useAsking<Result>({ run, onDone }: Pick<ConfirmProps<Result>, 'run' | 'onDone'>) {
  const [reason, setReason] = useState<string | null>(null)
  const [override, setOverride] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      const write = { ...(reason && { reason }), ...(override && { overrideReason: override }) }
      onDone(await run(write))
    } catch (thrown) {
      setError(thrown)
      setBusy(false)
    }
  }
  const notice = error !== null && <Refusal error={error} value={override} onChange={setOverride} />
  return { isBusy, confirm, notice, reason, setReason }
}
