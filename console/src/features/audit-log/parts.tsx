import { nameOf } from '../../data/choices.ts'
import type { Tone } from '../../data/words.ts'
import type { AuditLog } from '../../flightdeck.ts'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import { Status } from '../../ui/values/status.tsx'

const tones: Readonly<Record<string, Tone>> = { success: 'good', denied: 'warn', failed: 'bad' }

export const Outcome = ({ outcome }: Pick<AuditLog, 'outcome'>) => (
  <Status tone={tones[outcome] ?? 'neutral'}>{nameOf(outcome)}</Status>
)

/** The name of a person or a key, the part of the service that acted, or an account of its machine. */
export function actorName({ type, name }: AuditLog['actor']): string {
  if (name === null) return nameOf(type)
  return type === 'cli' ? `${name}, on the command line` : name
}

/** The object of a record; a link if it has a screen. */
export function Resource({ resource: { type, id, name } }: Pick<AuditLog, 'resource'>) {
  const text = name ?? nameOf(type)
  if (id === null) return text
  return (
    <ObjectLink type={type} id={id}>
      {text}
    </ObjectLink>
  )
}
