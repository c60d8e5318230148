import { useQuery } from '@tanstack/react-query'
import type { Choice } from '../../data/choices.ts'
import { organizationQuery } from '../../data/organization.ts'
import { useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { bodyOf } from '../../ui/forms/body.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { Notice, ReadFailed } from '../../ui/notice.tsx'
import { Card, Facts, Section } from '../../ui/page.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { categories } from './categories.ts'
import { type Settings, settingsQuery } from './queries.ts'

const ways = [
  { value: 'mail', name: 'In the inbox and by mail' },
  { value: 'console', name: 'In the inbox' },
  { value: 'none', name: 'Not at all' },
] as const satisfies readonly Choice[]

const digests = [
  { value: 'none', name: 'At once' },
  { value: 'hourly', name: 'Once an hour' },
  { value: 'daily', name: 'Once a day, at seven in the morning' },
] as const satisfies readonly Choice[]

/** Says what the person who is logged in is notified, and how. */
export function NotificationSettings() {
  const [search, setSearch] = useScreenState()
  const { data, error, refetch } = useQuery(settingsQuery)
  return (
    <Section
      title="Notifications"
      actions={
        <Button small onClick={() => setSearch({ open: 'notifications' })}>
          Change…
        </Button>
      }
    >
      <NoMail />
      {data && <Chosen settings={data} />}
      {!data && (error ? <ReadFailed error={error} retry={refetch} /> : <Skeleton rows={6} />)}
      {data && search.open === 'notifications' && (
        <SettingsForm settings={data} onClose={() => setSearch({ open: undefined })} />
      )}
    </Section>
  )
}

function NoMail() {
  const { data } = useQuery(organizationQuery)
  return (
    data?.mail === false && (
      <Notice title="This service sends no mail.">
        <p>Until the operator sets up a mail server, what is set to mail is in the inbox only.</p>
      </Notice>
    )
  )
}

const nameIn = (choices: readonly Choice[], value: string): string =>
  choices.find((choice) => choice.value === value)?.name ?? value

const Chosen = ({ settings }: { settings: Settings }) => (
  <Card>
    <Facts
      facts={[
        ...categories.map(({ value, name }) => [name, nameIn(ways, settings[value])] as const),
        ['Mails', nameIn(digests, settings.digest)],
      ]}
    />
    <p>
      <Soft>Mails about your own password, factors and address are always sent.</Soft>
    </p>
  </Card>
)

type SettingsFormProps = { settings: Settings; onClose: () => void }

function SettingsForm({ settings, onClose }: SettingsFormProps) {
  const form = useForm({ draft: 'notification settings', initial: settings })
  return (
    <FormDialog
      title="What you are notified"
      submitLabel="Save"
      form={form}
      asksReason={false}
      submit={(changes, write) =>
        flightdeck.auth.updateNotificationSettings(bodyOf(changes), write)
      }
      onDone={() => {
        onClose()
        say('Your notifications are set')
      }}
      onClose={onClose}
    >
      {categories.map(({ value, name, about }) => (
        <SelectField key={value} label={name} hint={about} choices={ways} {...form.field(value)} />
      ))}
      <SelectField
        label="Mails"
        hint="By the clock of the organization. Mails about your own password, factors and address are always sent, at once."
        choices={digests}
        {...form.field('digest')}
      />
    </FormDialog>
  )
}
