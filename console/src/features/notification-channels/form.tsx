import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { organizationQuery } from '../../data/organization.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { EventTypesField } from '../../ui/fields/event-types-field.tsx'
import { SelectField, TextField } from '../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../ui/fields/form.ts'
import { More } from '../../ui/fields/more.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../ui/forms/stored.ts'
import { SecretDialog } from '../../ui/secret.tsx'
import { FilterFields } from './filter-fields.tsx'
import type { Channel } from './queries.ts'
import { bodyOfNew, type ChannelValues, changesOf, labels, valuesOf } from './values.ts'
import { channelDigests, channelKinds, kindOf } from './words.ts'

/** Targets, which let anyone write there. */
const secrets = ['target'] as const

type ChannelFormProps<Saved> = {
  channel?: Channel
  submit: Parameters<typeof FormDialog<ChannelValues, Saved>>[0]['submit']
  onDone: (saved: Saved) => void
  onClose: () => void
}

function ChannelForm<Saved>({ channel, submit, onDone, onClose }: ChannelFormProps<Saved>) {
  const form = useForm({
    draft: `notification channel ${channel?.id ?? 'new'}`,
    secrets,
    initial: valuesOf(channel),
    version: channel?.version ?? null,
  })
  return (
    <FormDialog
      title={channel ? 'Edit channel' : 'New channel'}
      submitLabel={channel ? 'Save' : 'Create channel'}
      form={form}
      labels={labels}
      isNew={!channel}
      submit={submit}
      onDone={onDone}
      onClose={onClose}
      stored={async () =>
        storedIn(await flightdeck.notificationChannels.get(channel?.id ?? ''), valuesOf)
      }
    >
      <Place form={form} channel={channel} />
      <EventTypesField label="Events" {...form.field('events')} />
      <SelectField
        label="Messages"
        hint="What repeats within an hour is always sent once, with its count."
        choices={channelDigests}
        {...form.field('digest')}
      />
      <More
        about="only what is about a client, profile, label or platform"
        fields={[form.field('filter')]}
      >
        <FilterFields faults={form.faults} {...form.field('filter')} />
      </More>
    </FormDialog>
  )
}

type PlaceProps = { form: Form<ChannelValues>; channel: Channel | undefined }

/** The kind, the name and the place of a channel. */
function Place({ form: { field, values }, channel }: PlaceProps) {
  const { data: organization } = useQuery(organizationQuery)
  const needsMail = values.kind === 'email' && organization?.mail === false
  return (
    <>
      <SelectField
        label="Kind"
        choices={channelKinds}
        disabled={channel !== undefined}
        hint={
          needsMail
            ? 'This service sends no mail: its operator sets up a mail server first.'
            : undefined
        }
        {...field('kind')}
      />
      <TextField label="Name" placeholder="#ads-approvals" {...field('name')} />
      <TextField
        label={kindOf(values.kind)?.target ?? 'Target'}
        type={values.kind === 'email' ? 'email' : 'url'}
        autoComplete="off"
        optional={channel !== undefined}
        hint={
          channel
            ? `Now ${channel.target}. Left empty, it stays.`
            : 'A secret: it is shown to no one again.'
        }
        {...field('target')}
      />
    </>
  )
}

type EditChannelProps = { channel: Channel; onClose: () => void }

export const EditChannel = ({ channel, onClose }: EditChannelProps) => (
  <ChannelForm
    channel={channel}
    submit={(changes, write) =>
      flightdeck.notificationChannels.update(channel.id, changesOf(changes), write)
    }
    onDone={onClose}
    onClose={onClose}
  />
)

/** Creates a channel; of a webhook it shows the secret before anything else. */
export function NewChannel({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [created, setCreated] = useState<Schema<'CreatedNotificationChannel'> | null>(null)
  const open = ({ id }: { id: string }) =>
    void navigate({ to: '/organization/notification-channels/$id', params: { id }, search: {} })
  if (created) {
    return (
      <SecretDialog
        title="Signing secret"
        name="Signing secret"
        secret={created.secret}
        about="Your receiver checks with it that a message comes from here: keep it with your other secrets."
        lost="Delete this channel and create it again to get another one."
        onClose={() => open(created)}
      />
    )
  }
  return (
    <ChannelForm
      submit={(values, write) => flightdeck.notificationChannels.create(bodyOfNew(values), write)}
      onDone={(channel) => (channel.kind === 'webhook' ? setCreated(channel) : open(channel))}
      onClose={onClose}
    />
  )
}
