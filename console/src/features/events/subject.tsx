import { subjectOf } from '../../data/subject.ts'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import type { Event } from './queries.ts'

/** The object of an event; a link while it exists. */
export function Subject({ event }: { event: Event }) {
  const { type, id, name } = subjectOf(event)
  const label = name ?? id ?? ''
  if (id === null || event.type.endsWith('.deleted')) return label
  return (
    <ObjectLink type={type} id={id}>
      {label}
    </ObjectLink>
  )
}
