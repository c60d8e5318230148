import { useState } from 'react'
import { choicesOf } from '../../../data/choices.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { SelectField } from '../../../ui/fields/fields.tsx'
import type { Form } from '../../../ui/fields/form.ts'
import { LabelsField } from '../../../ui/fields/labels-field.tsx'
import { ObjectsField } from '../../../ui/fields/objects-field.tsx'
import { ClientField } from '../client-field.tsx'
import { CheckGroup } from './check-group.tsx'
import type { Filter, ReportValues } from './values.ts'

const subjects = [
  { value: 'client', name: 'One client' },
  { value: 'filter', name: 'What a filter selects' },
  { value: 'all', name: 'Everything' },
] as const
type Subject = (typeof subjects)[number]['value']

const subjectOf = ({ client_id, filter }: ReportValues): Subject =>
  client_id !== null ? 'client' : filter !== null ? 'filter' : 'all'

type SubjectFieldsProps = { form: Form<ReportValues> }

/** The subject of the report: a client, a filter, or everything. */
export function SubjectFields({ form }: SubjectFieldsProps) {
  const [chosen, setChosen] = useState<Subject>(() => subjectOf(form.values))
  const subject = form.isChanged ? chosen : subjectOf(form.values)
  const choose = (next: Subject) => {
    setChosen(next)
    if (next !== 'client') form.set({ client_id: null })
    if (next !== 'filter') form.set({ filter: null })
    if (next === 'filter' && form.values.filter === null) form.set({ filter: {} })
  }
  return (
    <>
      <SelectField
        label="About"
        choices={subjects}
        name="about"
        fault={undefined}
        value={subject}
        onChange={choose}
      />
      {subject === 'client' && <ClientField {...form.field('client_id')} />}
      {subject === 'filter' && <FilterFields form={form} />}
    </>
  )
}

function FilterFields({ form: { values, set, faults } }: SubjectFieldsProps) {
  const filter = values.filter ?? {}
  const part = <Name extends keyof Filter>(name: Name) => ({
    name,
    value: filter[name] ?? [],
    fault: [...faults].find(([pointer]) => pointer.startsWith(`/filter/${name}`))?.[1],
    onChange: (next: readonly string[]) =>
      set({ filter: Object.assign({}, filter, { [name]: [...next] }) }),
  })
  return (
    <>
      <ObjectsField
        label="Clients"
        optional
        kind="clients"
        find={(q) => flightdeck.clients.list({ q, sort: 'name', limit: 20 })}
        get={(id) => flightdeck.clients.get(id)}
        {...part('client_id')}
      />
      <ObjectsField
        label="Profiles"
        optional
        kind="profiles"
        find={(q) => flightdeck.profiles.list({ q, sort: 'name', limit: 20 })}
        get={(id) => flightdeck.profiles.get(id)}
        {...part('profile_id')}
      />
      <CheckGroup label="Platforms" choices={choicesOf('Platform')} {...part('platform')} />
      <CheckGroup label="Statuses" choices={choicesOf('CampaignStatus')} {...part('status')} />
      <LabelsField label="Labels" optional {...part('label')} />
      <LabelsField label="Currencies" optional hint="Such as EUR." {...part('currency')} />
    </>
  )
}
