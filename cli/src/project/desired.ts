/** What files want of each object. Pure. */

import { canonical } from './canonical.ts'
import { factsOf, type Kind } from './kinds.ts'
import { membersOf, type Place, plain, valueIn } from './source/placed.ts'
import type { Entry, Project } from './source/read.ts'

export type Desired = {
  kind: Kind
  key: string
  /** The owned fields in the words of files, `metadata.crm_id` for a member, and their values. */
  values: ReadonlyMap<string, unknown>
  /** Labels that it has to have in any case. */
  defaultLabels: readonly string[]
  /** Where it stands, and its fields. */
  placeOf: (field?: string) => Place
}

export const nameOfObject = ({ kind, key }: { kind: Kind; key: string }) => `${kind} ${key}`

export function desiredOf(project: Project): Desired[] {
  const templates = new Map(
    project.entries.filter(({ kind }) => kind === 'template').map((each) => [each.key, each]),
  )
  return project.entries.map((entry) => desiredObject(entry, { project, templates }))
}

type Within = { project: Project; templates: ReadonlyMap<string, Entry> }

function desiredObject(entry: Entry, { project, templates }: Within): Desired {
  const { kind, key, place, fields } = entry
  const own = [...fields].filter(([name]) => name !== 'metadata' && name !== 'labels')
  const values = new Map(
    [...own, ...defaultsFor(entry, { project, templates })].map(
      ([name, { value }]) => [name, canonical(kind, name, plain(value))] as const,
    ),
  )
  for (const [name, { value }] of membersOf(fields.get('metadata')?.value)) {
    values.set(`metadata.${name}`, plain(value))
  }
  const labels = fields.get('labels')
  const defaultLabels = labelsIn(valueIn(project.defaults.get('labels')?.value))
  const all = [...labelsIn(valueIn(labels?.value)), ...defaultLabels]
  if (labels || defaultLabels.length > 0) values.set('labels', canonical(kind, 'labels', all))
  const placeOf = (field = '') => fields.get(field.split('.')[0] ?? '')?.value.place ?? place
  return { kind, key, values, defaultLabels, placeOf }
}

const labelsIn = (value: unknown): string[] => (Array.isArray(value) ? value : [])

/** Defaults of the project, but for what the object, or its template, says itself. */
function defaultsFor({ kind, fields }: Entry, { project, templates }: Within) {
  const template = templates.get(String(valueIn(fields.get('template')?.value)))
  const inTemplate = membersOf(template?.fields.get('defaults')?.value)
  return factsOf[kind].defaults.flatMap((name) => {
    const found = project.defaults.get(name)
    return !found || fields.has(name) || inTemplate.has(name) ? [] : [[name, found] as const]
  })
}
