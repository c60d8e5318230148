import { useEffect, useState } from 'react'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Code } from '../../ui/values/json.tsx'
import { QrCode } from './qr-code.tsx'

type NewFactorProps = { onClose: () => void; onDone: (codes: readonly string[] | null) => void }

/** Sets up time codes: a QR code to scan, and the first code as the proof that it was. */
export function NewFactor({ onClose, onDone }: NewFactorProps) {
  const form = useForm({ draft: null, initial: { otp: '' } })
  const { begun, error } = useBegun()
  return (
    <FormDialog<{ otp: string }, Schema<'VerifiedFactor'>>
      title="Add an authenticator app"
      submitLabel="Verify"
      form={form}
      asksReason={false}
      onClose={onClose}
      onDone={({ recovery_codes: codes }) => onDone(codes)}
      submit={(_, write) => flightdeck.auth.verifyFactor(begun?.id ?? '', form.values, write)}
    >
      {error !== null && <ProblemNotice error={error} />}
      <p>Scan this with an app that makes time codes, or type the secret into it.</p>
      {begun?.otpauth_url && <QrCode text={begun.otpauth_url} label="QR code for the app" />}
      {begun?.secret && <Code name="Secret" text={begun.secret} />}
      <TextField
        label="Code that the app shows"
        autoComplete="one-time-code"
        hint="Six digits. From then on your logins ask for one."
        {...form.field('otp')}
      />
    </FormDialog>
  )
}

/** One secret for as long as the dialog is open. */
function useBegun() {
  const [begun, setBegun] = useState<Schema<'NewFactor'> | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isOpen = true
    void Promise.resolve(flightdeck.auth.addFactor({ kind: 'totp' })).then(
      (made) => isOpen && setBegun(made),
      (reason) => isOpen && setError(reason),
    )
    return () => {
      isOpen = false
    }
  }, [])
  return { begun, error }
}
