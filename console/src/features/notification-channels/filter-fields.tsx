import { choicesOf } from '../../data/choices.ts'
import { flightdeck } from '../../flightdeck.ts'
import { SelectField, TextField } from '../../ui/fields/fields.tsx'
import type { FieldState } from '../../ui/fields/form.ts'
import { ObjectField } from '../../ui/fields/object-field.tsx'
import type { Filter } from './values.ts'

const platforms = [{ value: null, name: 'Any' }, ...choicesOf('Platform')]

type FilterFieldsProps = FieldState<Filter | null> & { faults: ReadonlyMap<string, string> }

/** The part of the organization that a channel is notified of. All that is given must hold. */
export function FilterFields({ value, onChange, faults }: FilterFieldsProps) {
  const field = (name: keyof Filter) => ({
    name,
    fault: faults.get(`/filter/${name}`),
    value: value?.[name] ?? null,
    optional: true,
    onChange: (text: string | null) => {
      const { [name]: _, ...others } = value ?? {}
      const next = text === null ? others : { ...others, [name]: text }
      onChange(Object.keys(next).length > 0 ? next : null)
    },
  })
  return (
    <>
      <ObjectField
        label="Client"
        kind="clients"
        find={(q) => flightdeck.clients.list({ q, sort: 'name', limit: 20 })}
        get={(id) => flightdeck.clients.get(id)}
        {...field('client_id')}
      />
      <ObjectField
        label="Profile"
        kind="profiles"
        find={(q) => flightdeck.profiles.list({ q, sort: 'name', limit: 20 })}
        get={(id) => flightdeck.profiles.get(id)}
        {...field('profile_id')}
      />
      <TextField label="Label" hint="Of campaigns, profiles or clients." {...field('label')} />
      <SelectField label="Platform" choices={platforms} {...field('platform')} />
    </>
  )
}
