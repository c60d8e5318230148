import { useQuery } from '@tanstack/react-query'
import { organizationQuery } from '../../../data/organization.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { FieldRow, NumberField, SelectField } from '../../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../../ui/fields/form.ts'
import { LabelsField } from '../../../ui/fields/labels-field.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../../ui/forms/stored.ts'
import { say } from '../../../ui/layers/toast.tsx'
import { clientQuery, type Report } from '../queries.ts'
import { dayChoices, hourChoices, type ReportSchedule } from './words.ts'

type ScheduleValues = Pick<ReportSchedule, 'every' | 'day' | 'hour'> & {
  recipients: readonly string[]
  link_days: number | null
}

const fresh: ScheduleValues = { every: 'month', day: 1, hour: 8, recipients: [], link_days: 30 }

const valuesOf = ({ every, day, hour, recipients, link_days }: ScheduleValues): ScheduleValues => ({
  ...{ every, day, hour, recipients, link_days },
})

const bodyOf = ({ recipients, link_days, ...times }: ScheduleValues) => ({
  ...times,
  recipients: [...recipients],
  // Empty: the service says what is missing.
  link_days: link_days ?? 0,
})

const labels = {
  every: 'Every',
  day: 'On',
  hour: 'At',
  recipients: 'To',
  link_days: 'Days that links work',
}

type FormProps = {
  report: Report
  schedule: ReportSchedule | undefined
  onDone: () => void
  onClose: () => void
}

/** Makes a schedule, or changes one. */
export function ScheduleForm({ report, schedule, onDone, onClose }: FormProps) {
  const form = useForm<ScheduleValues>({
    draft: schedule ? `report schedule ${schedule.id}` : `report schedule of ${report.id}`,
    initial: valuesOf(schedule ?? fresh),
    version: schedule?.version ?? null,
  })
  return (
    <FormDialog
      title={schedule ? 'Edit schedule' : 'New schedule'}
      submitLabel={schedule ? 'Save' : 'Create schedule'}
      form={form}
      labels={labels}
      isNew={!schedule}
      submit={(_, write) => {
        const body = bodyOf(form.values)
        return schedule
          ? flightdeck.reports.updateSchedule(report, schedule, body, write)
          : flightdeck.reports.createSchedule(report, body, { ...write, ifMatch: null })
      }}
      stored={async () =>
        storedIn(await flightdeck.reports.getSchedule(report, schedule?.id ?? ''), valuesOf)
      }
      onDone={() => {
        say(schedule ? 'The schedule is saved' : 'The schedule is made')
        onDone()
      }}
      onClose={onClose}
    >
      <TimesFields form={form} zone={useZone(report, schedule)} />
      <LabelsField
        label="To"
        hint="Addresses, each ended by Enter or a comma. Each gets a mail of its own."
        {...form.field('recipients')}
      />
    </FormDialog>
  )
}

const intervals = [
  { value: 'week', name: 'Week' },
  { value: 'month', name: 'Month' },
] as const

function TimesFields({ form, zone }: { form: Form<ScheduleValues>; zone: string | undefined }) {
  const { every, day, hour } = form.values
  const field = (name: 'day' | 'hour') => ({
    ...form.field(name),
    onChange: (value: string) => form.set({ [name]: Number(value) }),
  })
  return (
    <>
      <FieldRow>
        <SelectField
          label="Every"
          choices={intervals}
          {...form.field('every')}
          onChange={(value) => form.set({ every: value, day: value === 'week' ? 1 : day })}
        />
        <SelectField label="On" choices={dayChoices(every)} {...field('day')} value={String(day)} />
      </FieldRow>
      <FieldRow>
        <SelectField
          label="At"
          choices={hourChoices}
          hint={zone && `On the clock of ${zone}`}
          {...field('hour')}
          value={String(hour)}
        />
        <NumberField label="Days that links work" hint="At most 366" {...form.field('link_days')} />
      </FieldRow>
    </>
  )
}

/** The time zone in which its hour is. */
function useZone({ client_id }: Report, schedule: ReportSchedule | undefined): string | undefined {
  const client = useQuery(clientQuery(client_id)).data
  const organization = useQuery(organizationQuery).data
  if (schedule) return schedule.time_zone
  if (client_id !== null && !client) return undefined
  return client?.time_zone ?? organization?.time_zone
}
