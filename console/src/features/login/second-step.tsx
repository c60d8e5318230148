import { isProblem } from '@flightdeckhq/sdk'
import { sessionClient } from '../../flightdeck.ts'
import { begin } from '../../session.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { LinkForm } from './link-form.tsx'

export type SecondStepProps = {
  challenge: string | null
  onDone?: (() => void) | undefined
  /** The challenge has ended, with the reason: the login begins again. */
  onOver: (error: unknown) => void
}

/** The second step of a login: a code of the app, or a recovery code. */
export default function SecondStep({ challenge, onDone, onOver }: SecondStepProps) {
  const form = useForm({ draft: null, initial: { otp: '' } })
  const verify = async ({ otp }: { otp: string }) => {
    try {
      const body = { challenge, otp }
      await sessionClient.request('POST', '/console/session/verify', { body })
    } catch (error) {
      form.set({ otp: '' })
      if (isProblem(error, 'invalid_credentials') && error.problem.tries_left === 0) onOver(error)
      throw error
    }
    await begin()
    onDone?.()
  }
  return (
    <LinkForm form={form} verb="Log in" submit={verify}>
      <TextField
        label="Code"
        autoComplete="one-time-code"
        autoFocus
        hint="Six digits of your app, or one of your recovery codes."
        {...form.field('otp')}
      />
    </LinkForm>
  )
}
