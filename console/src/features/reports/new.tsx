import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { flightdeck } from '../../flightdeck.ts'
import { FieldRow, SelectField, TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { ClientField } from './client-field.tsx'
import { clientQuery, type Report } from './queries.ts'
import { comparisons, type NamedPeriod, periods } from './words.ts'

type NewReportProps = {
  /** The client until another is chosen. */
  clientId: string | null
  onDone: (report: { id: string }) => void
  onClose: () => void
}

type NewValues = {
  name: string
  client_id: string | null
  period: NamedPeriod
  compare: Report['compare']
}

/** A name to begin with. */
const nameFor = (client: string | undefined, period: NamedPeriod): string =>
  client === undefined ? '' : `${client}, ${/month/.test(period) ? 'monthly' : 'report'}`

/** Makes a report with all sections; they are chosen where it is edited. */
export function NewReport({ clientId, onDone, onClose }: NewReportProps) {
  const form = useForm<NewValues>({
    draft: null,
    initial: {
      ...{ name: '', client_id: clientId, period: 'last_month' },
      compare: 'previous_period',
    },
  })
  const { field, set, values } = form
  const client = useQuery(clientQuery(values.client_id)).data?.name
  const proposed = nameFor(client, values.period)
  const isNamed = 'name' in form.changes
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another proposal changes it.
  useEffect(() => {
    if (!isNamed) form.rebase({ ...form.initial, name: proposed }, null)
  }, [proposed])
  return (
    <FormDialog
      title="New report"
      submitLabel="Create report"
      form={form}
      isNew
      onDone={onDone}
      onClose={onClose}
      submit={(_, write) => flightdeck.reports.create(values, write)}
    >
      <ClientField
        hint="Empty: everything, or what a filter selects, which is chosen later."
        {...field('client_id')}
        onChange={(client_id) => set({ client_id })}
      />
      <TextField label="Name" hint="The title of its page." {...field('name')} />
      <FieldRow>
        <SelectField
          label="Period"
          choices={periods}
          hint="It moves on with the days."
          {...field('period')}
        />
        <SelectField label="Beside it" choices={comparisons} {...field('compare')} />
      </FieldRow>
    </FormDialog>
  )
}
