import type { ReactNode } from 'react'
import { flightdeck } from '../../flightdeck.ts'
import type { FieldState } from '../../ui/fields/form.ts'
import { ObjectField } from '../../ui/fields/object-field.tsx'

type ClientFieldProps = FieldState<string | null> & { hint?: ReactNode }

export const ClientField = (field: ClientFieldProps) => (
  <ObjectField
    label="Client"
    optional
    kind="clients"
    find={(q) => flightdeck.clients.list({ q, sort: 'name', limit: 20 })}
    get={(id) => flightdeck.clients.get(id)}
    {...field}
  />
)
