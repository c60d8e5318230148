import { useState } from 'react'
import { flightdeck } from '../../flightdeck.ts'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { LinkCard, secretInAddress } from './link-card.tsx'
import { LinkForm } from './link-form.tsx'

/** Opened by a link to set a new password. */
export default function Reset() {
  const form = useForm({ draft: null, initial: { password: '' } })
  const [isDone, setDone] = useState(false)
  return (
    <LinkCard title="New password" isDone={isDone}>
      {isDone ? (
        <p role="status">Your password is set, and all of your sessions have ended.</p>
      ) : (
        <LinkForm
          form={form}
          verb="Set the password"
          over="It was used, has ended, or a newer one was sent. Ask for another."
          submit={async (values) => {
            await flightdeck.auth.resetPassword({ secret: secretInAddress(), ...values })
            setDone(true)
          }}
        >
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            autoFocus
            hint="At least 12 characters. All of your sessions end."
            {...form.field('password')}
          />
        </LinkForm>
      )}
    </LinkCard>
  )
}
