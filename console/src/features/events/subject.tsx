import { ObjectLink } from '../../ui/object-link.tsx'
import type { Event } from './queries.ts'

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What an event is about; it leads there while it exists. */
export function Subject({ event: { type, data } }: { event: Event }) {
  const { id, name, url, email } = data.object
  const key = textOf(id)
  const label = textOf(name) ?? textOf(url) ?? textOf(email) ?? key ?? ''
  const kind = type.slice(0, type.indexOf('.'))
  if (key === null || type.endsWith('.deleted')) return label
  return (
    <ObjectLink type={kind} id={key}>
      {label}
    </ObjectLink>
  )
}
