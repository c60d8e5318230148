/** An object as the service has it, in the words of files. Pure. */

import { canonical } from '../canonical.ts'
import { factsOf, type Kind } from '../kinds.ts'
import { isOwnKey, isProjectLabel, type Owned, ownedBy, projectOf } from '../ownership.ts'

/** What a list of the API answers of each object, as far as it is read here. */
export type Row = Readonly<Record<string, unknown>> & {
  id: string
  version: number
  external_id: string | null
  labels: readonly string[]
  metadata: Readonly<Record<string, string>>
}

export type Live = {
  kind: Kind
  row: Row
  id: string
  /** Its external id, or its id where it has none. */
  key: string
  /** The projects whose labels it has. */
  projects: readonly string[]
  /** Its labels without those of projects. */
  labels: readonly string[]
  owned: Owned | null
}

export function liveOf(kind: Kind, row: Row): Live {
  const { id, external_id, labels, metadata } = row
  return {
    ...{ kind, row, id, key: external_id ?? id },
    projects: labels.filter(isProjectLabel).map(projectOf),
    labels: labels.filter((label) => !isProjectLabel(label)),
    owned: ownedBy(metadata),
  }
}

/** Names in the project by id. */
export type Names = ReadonlyMap<string, string>

/** The value of a field. A reference is the name that its object has in the project, or its id. */
export function valueOfLive({ kind, row, labels }: Live, field: string, names: Names): unknown {
  if (field === 'state') return stateIn(String(row.status))
  if (field === 'labels') return canonical(kind, field, labels)
  if (field.startsWith('metadata.')) return row.metadata[field.slice('metadata.'.length)] ?? null
  if (kind === 'template' && field === 'defaults') {
    const { profile_id, ...others } = row.defaults as Record<string, unknown>
    const profile = profile_id === undefined ? {} : { profile: nameIn(names, profile_id) }
    return canonical(kind, field, { ...others, ...profile })
  }
  const reference = factsOf[kind].references[field]
  if (reference) return nameIn(names, row[reference.field])
  return canonical(kind, field, row[field])
}

const nameIn = (names: Names, id: unknown) =>
  typeof id === 'string' ? (names.get(id) ?? id) : null

/** What waits for its start counts as active. */
const stateIn = (status: string): string => (status === 'scheduled' ? 'active' : status)

/** The members of metadata that are the object's own. */
export const ownMetadata = ({ row }: Live): [string, string][] =>
  Object.entries(row.metadata).filter(([key]) => !isOwnKey(key))
