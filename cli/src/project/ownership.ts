/** What the service keeps of a project: whose an object is, and which fields it owns. Pure. */

import { createHash } from 'node:crypto'
import { textOfValue } from './canonical.ts'

const labelPrefix = 'project:'
const keyPrefix = 'project.'
const fieldsKey = `${keyPrefix}fields`
const digestKey = `${keyPrefix}digest`

/** The longest value of metadata. */
const longest = 500

export const labelOf = (project: string): string => `${labelPrefix}${project}`

export const isProjectLabel = (label: string): boolean => label.startsWith(labelPrefix)

export const projectOf = (label: string): string => label.slice(labelPrefix.length)

/** Whether a key of metadata belongs to a project, not to the object. */
export const isOwnKey = (key: string): boolean => key.startsWith(keyPrefix)

type Metadata = Readonly<Record<string, string>>

/** What was applied last: the owned fields, and a digest of their values; null for never. */
export type Owned = { fields: readonly string[]; digest: string | null }

export function ownedBy(metadata: Metadata): Owned | null {
  const parts = Object.keys(metadata).filter((key) => key.startsWith(fieldsKey))
  if (parts.length === 0) return null
  const text = parts
    .sort(byPart)
    .map((key) => metadata[key])
    .join(' ')
  return { fields: text.split(' ').filter(Boolean), digest: metadata[digestKey] ?? null }
}

const byPart = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1)

/** The members of metadata that say so: names in order, over as many members as they need. */
export function recordOf(values: ReadonlyMap<string, unknown>): Record<string, string> {
  const parts = ['']
  for (const name of [...values.keys()].sort()) {
    const last = parts.at(-1) ?? ''
    const longer = last === '' ? name : `${last} ${name}`
    if (longer.length <= longest) parts[parts.length - 1] = longer
    else parts.push(name)
  }
  const members = parts.map((text, at) => [at === 0 ? fieldsKey : `${fieldsKey}.${at}`, text])
  return { ...Object.fromEntries(members), [digestKey]: digestOf(values) }
}

/** Says whether owned values are those that were applied. */
export function digestOf(values: ReadonlyMap<string, unknown>): string {
  const sorted = [...values].sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(textOfValue(sorted)).digest('base64url').slice(0, 22)
}
