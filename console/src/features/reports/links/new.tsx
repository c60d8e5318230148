import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listKey } from '../../../data/keys.ts'
import { useRows } from '../../../data/lists.ts'
import { one, useScreenState } from '../../../data/search.ts'
import { dayMs, formatTime, ownZone } from '../../../data/values/time.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { SelectField, TextField } from '../../../ui/fields/fields.tsx'
import { type FieldState, useForm } from '../../../ui/fields/form.ts'
import { TimeField } from '../../../ui/fields/time-field.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { type Report, snapshotList } from '../queries.ts'

const lifetimes = [
  { value: '7', name: 'In 7 days' },
  { value: '30', name: 'In 30 days' },
  { value: '90', name: 'In 90 days' },
  { value: '365', name: 'In a year' },
  { value: 'at', name: 'At a time of your choice' },
]

type LinkProps = { report: Report; onClose: () => void }

type LinkValues = {
  /** In days, or `at` a time. */
  lifetime: string
  expires_at: string | null
  password: string | null
  snapshot_id: string | null
}

const expiryOf = ({ lifetime, expires_at }: LinkValues): string =>
  lifetime === 'at'
    ? (expires_at ?? '')
    : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()

/** Makes a link to a report, and shows its address once. */
export default function NewLink({ report, onClose }: LinkProps) {
  const [made, setMade] = useState<{ url: string | null } | null>(null)
  const cache = useQueryClient()
  if (made === null) {
    return (
      <LinkForm
        report={report}
        onClose={onClose}
        onDone={(link) => {
          void cache.invalidateQueries({ queryKey: listKey('report_links').slice(0, 2) })
          setMade(link)
        }}
      />
    )
  }
  return (
    <SecretDialog
      title={`Link to ${report.name}`}
      name="Address"
      secret={made.url}
      about="All who have the address see this report and nothing else, without an account."
      lost="End this link under “Links”, and make another."
      onClose={onClose}
    />
  )
}

type FormProps = LinkProps & { onDone: (link: { url: string | null }) => void }

function LinkForm({ report, onClose, onDone }: FormProps) {
  const [search] = useScreenState()
  const form = useForm<LinkValues>({
    draft: null,
    initial: {
      ...{ lifetime: '30', expires_at: null, password: null },
      snapshot_id: one(search.snapshot) ?? null,
    },
  })
  const { field, values } = form
  const { lifetime, password, snapshot_id } = values
  const expires_at = expiryOf(values)
  return (
    <FormDialog
      title="New link"
      submitLabel="Create link"
      form={form}
      isNew
      onDone={onDone}
      onClose={onClose}
      submit={(_, write) =>
        flightdeck.reports.createLink(report, { expires_at, password, snapshot_id }, write)
      }
    >
      <SelectField
        label="Ends"
        choices={lifetimes}
        {...field('lifetime')}
        fault={lifetime === 'at' ? undefined : field('expires_at').fault}
      />
      {lifetime === 'at' && <TimeField label="Time" zone={ownZone} {...field('expires_at')} />}
      <ShownField id={report.id} {...field('snapshot_id')} />
      <TextField
        label="Password"
        optional
        type="password"
        autoComplete="new-password"
        hint="Asked for before anything is shown: at least 8 characters. Send it another way than the link."
        {...field('password')}
      />
    </FormDialog>
  )
}

function ShownField({ id, ...field }: FieldState<string | null> & { id: string }) {
  const snapshots = useRows(useInfiniteQuery(snapshotList(id)))
  return (
    <SelectField
      label="Shows"
      choices={[
        { value: null, name: 'The report as it is when opened' },
        ...snapshots.map((snapshot) => ({
          value: snapshot.id,
          name: `As it was frozen at ${formatTime(snapshot.created_at)}`,
        })),
      ]}
      {...field}
    />
  )
}
