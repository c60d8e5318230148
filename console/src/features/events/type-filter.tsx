import { IconFilter } from '@tabler/icons-react'
import { many, useScreenState } from '../../data/search.ts'
import { Button } from '../../ui/button.tsx'
import { EventTypesField } from '../../ui/fields/event-types-field.tsx'
import { Popover } from '../../ui/layers/popover.tsx'

/** Event types, by patterns in the address. */
export function TypeFilter() {
  const [search, setSearch] = useScreenState()
  const types = many(search.type)
  const [first, ...more] = types
  const chosen = first === undefined ? 'any' : `${first}${more.length ? ` +${more.length}` : ''}`
  return (
    <Popover
      label="Types of events"
      trigger={<Button icon={<IconFilter aria-hidden />}>Type: {chosen}</Button>}
    >
      {() => (
        <EventTypesField
          label="Types of events"
          hint={types.length === 0 ? 'None chosen: all are shown.' : undefined}
          isFilter
          name="type"
          fault={undefined}
          value={types}
          onChange={(next) => setSearch({ type: next.length === 0 ? undefined : next })}
        />
      )}
    </Popover>
  )
}
