import { useNavigate } from '@tanstack/react-router'
import { sessionClient } from '../../flightdeck.ts'
import { begin } from '../../session.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { LinkCard, secretInAddress } from './link-card.tsx'
import { LinkForm } from './link-form.tsx'

/** Opened by the link of an invitation, which opens a session too. */
export default function Join() {
  const form = useForm({ draft: null, initial: { name: '', password: '' } })
  const navigate = useNavigate()
  return (
    <LinkCard title="Join Flightdeck">
      <LinkForm
        form={form}
        verb="Join"
        over="It was used, has ended, or was taken back. Ask the person who invited you for another."
        submit={async (values) => {
          const body = { secret: secretInAddress(), ...values }
          await sessionClient.request('POST', '/console/session/join', { body })
          await begin()
          await navigate({ to: '/', replace: true })
        }}
      >
        <p>You have been invited. Choose your name and a password.</p>
        <TextField label="Your name" autoComplete="name" autoFocus {...form.field('name')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters."
          {...form.field('password')}
        />
      </LinkForm>
    </LinkCard>
  )
}
