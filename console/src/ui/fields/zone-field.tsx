import { useId } from 'react'
import type { Labelled } from './field.tsx'
import { TextField } from './fields.tsx'
import type { FieldState } from './form.ts'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** An IANA time zone; the browser suggests those that it knows. */
export const ZoneField = (props: Labelled & FieldState<string>) => (
  <Suggested {...props} onChange={(zone) => props.onChange(zone ?? '')} />
)

/** The same, where there may be none. */
export const OptionalZoneField = (props: Labelled & FieldState<string | null>) => (
  <Suggested {...props} optional />
)

function Suggested(props: Labelled & FieldState<string | null>) {
  const listId = useId()
  return (
    <>
      <TextField {...props} list={listId} />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
