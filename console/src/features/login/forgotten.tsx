import { useState } from 'react'
import { flightdeck } from '../../flightdeck.ts'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { LinkCard } from './link-card.tsx'
import { LinkForm } from './link-form.tsx'

/** Asks for a link to set a new password. The answer never says whether there is such a person. */
export default function Forgotten() {
  const form = useForm({ draft: null, initial: { email: '' } })
  const [isSent, setSent] = useState(false)
  return (
    <LinkCard title="Forgotten password">
      {isSent ? (
        <p role="status">
          If a member has this address, and this service sends mail, a link is on its way. It works
          for 30 minutes. If none comes, ask an admin of your organization for one.
        </p>
      ) : (
        <LinkForm
          form={form}
          verb="Send a link"
          submit={async (values) => {
            await flightdeck.auth.forgotPassword(values)
            setSent(true)
          }}
        >
          <p>A link to set a new password is mailed to you.</p>
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            {...form.field('email')}
          />
        </LinkForm>
      )}
    </LinkCard>
  )
}
