import { flightdeck } from '../../flightdeck.ts'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'

/** Nothing of it is kept as a draft. */
export function PasswordForm({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const form = useForm({ draft: null, initial: { current_password: '', new_password: '' } })
  const { field } = form
  return (
    <FormDialog
      title="Change your password"
      submitLabel="Change password"
      form={form}
      onDone={onDone}
      onClose={onClose}
      submit={(_, write) => flightdeck.auth.changePassword(form.values, write)}
    >
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...field('current_password')}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters. Your other sessions end."
        {...field('new_password')}
      />
    </FormDialog>
  )
}
