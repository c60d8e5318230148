import { useState } from 'react'
import { flightdeck, type WebhookEndpoint } from '../../flightdeck.ts'
import { SelectField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretDialog } from '../../ui/secret.tsx'

export const Secret = ({ secret, onClose }: { secret: string | null; onClose: () => void }) => (
  <SecretDialog
    title="Signing secret"
    name="Signing secret"
    secret={secret}
    about="Your receiver checks with it that a delivery comes from here: keep it with your other secrets."
    lost="Rotate the secret to get another one."
    onClose={onClose}
  />
)

const graces = [
  { value: '0', name: 'Not at all: it ends at once' },
  { value: '3600', name: 'One hour' },
  { value: '86400', name: 'One day' },
  { value: '604800', name: 'Seven days' },
]

type RotateProps = { endpoint: WebhookEndpoint; onClose: () => void }

/** Makes another secret; for a while the one before signs too, so that nothing is refused. */
export function RotateSecret({ endpoint, onClose }: RotateProps) {
  const [rotated, setRotated] = useState<{ secret: string | null } | null>(null)
  const form = useForm({ draft: null, initial: { grace_period_seconds: '86400' } })
  if (rotated) return <Secret secret={rotated.secret} onClose={onClose} />
  return (
    <FormDialog
      title="Rotate the signing secret?"
      submitLabel="Rotate secret"
      form={form}
      isNew
      submit={({ grace_period_seconds: seconds }, write) =>
        flightdeck.webhookEndpoints.rotateSecret(
          endpoint,
          { grace_period_seconds: Number(seconds) },
          write,
        )
      }
      onDone={setRotated}
      onClose={onClose}
    >
      <Notice title="Deliveries are signed with both secrets for a while.">
        <p>Give your receiver the new one in that time, and none is refused.</p>
      </Notice>
      <SelectField
        label="The present secret also signs for"
        choices={graces}
        {...form.field('grace_period_seconds')}
      />
    </FormDialog>
  )
}
