import { useQuery } from '@tanstack/react-query'
import { listKey } from '../../data/keys.ts'
import { flightdeck, type Schema, type Scope } from '../../flightdeck.ts'
import { countOf } from '../values/scope.ts'
import { SelectField } from './fields.tsx'
import type { FieldState } from './form.ts'
import { LabelsField } from './labels-field.tsx'
import { ObjectsField } from './objects-field.tsx'

const extents = [
  { value: 'all', name: 'Everything' },
  { value: 'part', name: 'A part of it' },
]

/** Whether people and keys of the role see everything, whatever is asked for. */
export const seesAll = (role: string): boolean =>
  role === 'owner' || role === 'admin' || role === 'provisioner'

type Member = keyof Scope

/** The part of the organization that a person or a key sees, and what it comes to. */
export function ScopeField({ value, onChange, fault, name }: FieldState<Scope | null>) {
  const field = (member: Member) => ({
    name: member,
    fault: undefined,
    value: value?.[member] ?? [],
    onChange: (items: readonly string[]) => {
      const { [member]: _, ...others } = value ?? {}
      onChange(items.length > 0 ? { ...others, [member]: [...items] } : others)
    },
  })
  return (
    <>
      <SelectField
        label="Sees"
        choices={extents}
        hint={value ? <Extent scope={value} /> : undefined}
        {...{ name, fault }}
        value={value ? 'part' : 'all'}
        onChange={(extent) => onChange(extent === 'all' ? null : {})}
      />
      {value && (
        <>
          <ObjectsField
            label="Clients"
            kind="clients"
            find={(q) => flightdeck.clients.list({ q, sort: 'name', limit: 20 })}
            get={(id) => flightdeck.clients.get(id)}
            {...field('client_ids')}
          />
          <ObjectsField
            label="Profiles"
            kind="profiles"
            find={(q) => flightdeck.profiles.list({ q, sort: 'name', limit: 20 })}
            get={(id) => flightdeck.profiles.get(id)}
            {...field('profile_ids')}
          />
          <LabelsField
            label="Labels"
            optional
            hint="Campaigns with any of these."
            {...field('labels')}
          />
        </>
      )}
    </>
  )
}

/** More values than a filter takes are not counted. */
const mostCounted = 20

function Extent({ scope }: { scope: Scope }) {
  const { client_ids, profile_ids, labels } = scope
  const asked = { client_id: client_ids, profile_id: profile_ids, label: labels }
  const given = Object.values(asked).filter((items) => items !== undefined)
  const { data } = useQuery({
    queryKey: listKey('campaigns', { counted: asked }),
    queryFn: async () => {
      const query = { ...asked, limit: 1, include_total: true }
      const { meta }: { meta: Schema<'CampaignList'>['meta'] } =
        await flightdeck.campaigns.list(query)
      return meta.total ?? null
    },
    enabled: given.length > 0 && given.every((items) => items.length <= mostCounted),
  })
  if (given.length === 0)
    return 'Choose clients, profiles or labels. What meets all of them is seen.'
  const clients = client_ids ? [countOf(client_ids.length, 'client')] : []
  const campaigns = typeof data === 'number' ? [countOf(data, 'campaign')] : []
  const seen = [...clients, ...campaigns].join(', ')
  return seen === '' ? 'What meets all of these is seen.' : `Sees ${seen}.`
}
