import type { Schema } from '../../flightdeck.ts'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { knowsPasskeys, passkeysAt } from '../login/may-use-passkeys.ts'
import { makePasskey } from '../login/passkey.ts'

type NewPasskeyProps = { onClose: () => void; onDone: (codes: readonly string[] | null) => void }

/** Names a passkey; then the browser asks where to keep it. */
export function NewPasskey({ onClose, onDone }: NewPasskeyProps) {
  const form = useForm({ draft: null, initial: { name: 'Passkey' } })
  return (
    <FormDialog<{ name: string }, Schema<'VerifiedFactor'>>
      title="Add a passkey"
      submitLabel="Go on"
      form={form}
      isNew
      asksReason={false}
      onClose={onClose}
      onDone={({ recovery_codes: codes }) => onDone(codes)}
      submit={({ name = '' }, write) => makePasskey(name, write)}
    >
      <p>
        A key that your telephone, computer or security key keeps, and opens by a PIN, a finger or a
        face. It is your second factor, and logs you in without a password too.
      </p>
      <TextField label="Name" hint="Such as “Laptop” or “Blue key”." {...form.field('name')} />
    </FormDialog>
  )
}

/** The reason why none can be added here; null if one can. */
export function passkeysBlocked(): string | null {
  if (passkeysAt === '') return 'This service has no https address with a name, as passkeys need.'
  if (passkeysAt !== location.origin) return `Passkeys work at ${passkeysAt} only.`
  return knowsPasskeys ? null : 'This browser is too old for passkeys.'
}
