import { useId } from 'react'
import type { Labelled } from './field.tsx'
import { TextField } from './fields.tsx'
import type { FieldState } from './form.ts'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** An IANA time zone; the browser suggests those that it knows. */
export function ZoneField(props: Labelled & FieldState<string>) {
  const listId = useId()
  return (
    <>
      <TextField {...props} list={listId} onChange={(zone) => props.onChange(zone ?? '')} />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
