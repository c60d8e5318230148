import { other } from '@flightdeckhq/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flightdeck, type Schema, type WebhookEndpoint } from '../../flightdeck.ts'
import { EventTypesField } from '../../ui/fields/event-types-field.tsx'
import { LongTextField, TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { More } from '../../ui/fields/more.tsx'
import { MetadataField } from '../../ui/fields/pairs-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../ui/forms/stored.ts'
import { Secret } from './secret.tsx'

const everything: readonly string[] = ['*']

const valuesOf = (endpoint?: WebhookEndpoint) => ({
  url: endpoint?.url ?? '',
  events: endpoint?.events ?? everything,
  description: endpoint?.description ?? null,
  metadata: endpoint?.metadata ?? {},
})

type EndpointValues = ReturnType<typeof valuesOf>

const bodyOf = ({ events, ...values }: Partial<EndpointValues>) =>
  events ? { ...values, events: events.map(other) } : values

const labels = { url: 'Address' }

/** Paths of receivers often hold a token. */
const secrets = ['url'] as const

type EndpointFormProps<Saved> = {
  endpoint?: WebhookEndpoint
  submit: Parameters<typeof FormDialog<EndpointValues, Saved>>[0]['submit']
  onDone: (saved: Saved) => void
  onClose: () => void
}

function EndpointForm<Saved>({ endpoint, submit, onDone, onClose }: EndpointFormProps<Saved>) {
  const form = useForm({
    draft: `webhook endpoint ${endpoint?.id ?? 'new'}`,
    secrets,
    initial: valuesOf(endpoint),
    version: endpoint?.version ?? null,
  })
  return (
    <FormDialog
      title={endpoint ? 'Edit endpoint' : 'New endpoint'}
      submitLabel={endpoint ? 'Save' : 'Create endpoint'}
      form={form}
      labels={labels}
      isNew={!endpoint}
      submit={submit}
      onDone={onDone}
      onClose={onClose}
      stored={async () =>
        storedIn(await flightdeck.webhookEndpoints.get(endpoint?.id ?? ''), valuesOf)
      }
    >
      <TextField
        label="Address"
        type="url"
        placeholder="https://example.com/hooks/flightdeck"
        hint="https, without a user name or password."
        {...form.field('url')}
      />
      <EventTypesField label="Events" {...form.field('events')} />
      <LongTextField label="Description" optional {...form.field('description')} />
      <More about="metadata" fields={[form.field('metadata')]}>
        <MetadataField
          label="Metadata"
          hint="Your own keys and values."
          {...form.field('metadata')}
        />
      </More>
    </FormDialog>
  )
}

export const EditEndpoint = ({
  endpoint,
  onClose,
}: {
  endpoint: WebhookEndpoint
  onClose: () => void
}) => (
  <EndpointForm
    endpoint={endpoint}
    submit={(changes, write) =>
      flightdeck.webhookEndpoints.update(endpoint.id, bodyOf(changes), write)
    }
    onDone={onClose}
    onClose={onClose}
  />
)

/** Creates an endpoint, and shows its secret before anything else. */
export function NewEndpoint({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [created, setCreated] = useState<Schema<'CreatedWebhookEndpoint'> | null>(null)
  if (created) {
    const leave = () =>
      void navigate({ to: '/webhook-endpoints/$id', params: { id: created.id }, search: {} })
    return <Secret secret={created.secret} onClose={leave} />
  }
  return (
    <EndpointForm
      submit={(changes, write) =>
        flightdeck.webhookEndpoints.create({ url: '', ...bodyOf(changes) }, write)
      }
      onDone={setCreated}
      onClose={onClose}
    />
  )
}
