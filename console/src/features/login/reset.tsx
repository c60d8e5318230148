import { isProblem } from '@flightdeckhq/sdk'
import { useState } from 'react'
import { flightdeck } from '../../flightdeck.ts'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { LinkCard, secretInAddress } from './link-card.tsx'
import { LinkForm } from './link-form.tsx'

/** Opened by a link to set a new password. */
export default function Reset() {
  const form = useForm({ draft: null, initial: { password: '', otp: '' } })
  const [needsCode, setNeedsCode] = useState(false)
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
          submit={async ({ password, otp }) => {
            const body = { secret: secretInAddress(), password, ...(otp && { otp }) }
            try {
              await flightdeck.auth.resetPassword(body)
              setDone(true)
            } catch (error) {
              if (needsCode || !isProblem(error, 'second_factor_required')) throw error
              setNeedsCode(true)
            }
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
          {needsCode && (
            <TextField
              label="Code"
              autoComplete="one-time-code"
              autoFocus
              hint="Six digits of your app, or one of your recovery codes."
              {...form.field('otp')}
            />
          )}
        </LinkForm>
      )}
    </LinkCard>
  )
}
