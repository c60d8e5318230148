import type { Body } from '@flightdeckhq/sdk'
import { storedList } from '../../data/stored/stored-list.ts'
import { useSession } from '../../session.tsx'

/** Edits that gather here until they are published together, as one change set. */

type ProposedOperation = Body<'proposeChangeSet'>['operations'][number]

/** Actions that begin to spend, and wait here with other edits. */
export type Start = 'launch' | 'resume'

export type TrayEdit = {
  /** The id of the object; a later edit of it joins the first. */
  id: string
  name: string
  /** The version that the edit was made on. */
  version: number
  /** Fields to set. */
  body: Readonly<Record<string, unknown>>
  /** Taken after the fields are set. */
  action: Start | null
}

const prefix = 'flightdeck tray '
const maxEdits = 500

const isEdit = (edit: unknown): edit is TrayEdit =>
  typeof edit === 'object' &&
  edit !== null &&
  'id' in edit &&
  'name' in edit &&
  'version' in edit &&
  'body' in edit &&
  typeof edit.body === 'object' &&
  edit.body !== null

const stored = storedList(isEdit)

export const trayIsFull = 'Too many edits wait already. Publish them first.'

export type Tray = {
  edits: readonly TrayEdit[]
  /** False where the tray is full. */
  add(edits: readonly TrayEdit[]): boolean
  remove(id: string): void
  /** Takes back the action of an object; fields that are edited too stay. */
  withdraw(id: string): void
  clear(): void
}

/** The edits of this person in this browser; they survive a reload. */
export function useTray(): Tray {
  const { user, organization } = useSession()
  const key = `${prefix}${organization.id} ${user.id}`
  const edits = stored.useEntries(key)
  return {
    edits,
    add: (more) => {
      const next = more.reduce(joined, stored.read(key))
      if (next.length > maxEdits) return false
      stored.write(key, next)
      return true
    },
    remove: (id) =>
      stored.write(
        key,
        stored.read(key).filter((edit) => edit.id !== id),
      ),
    withdraw: (id) =>
      stored.write(
        key,
        stored.read(key).flatMap((edit) => (edit.id === id ? withoutAction(edit) : edit)),
      ),
    clear: () => stored.write(key, []),
  }
}

function joined(edits: readonly TrayEdit[], next: TrayEdit): readonly TrayEdit[] {
  const before = edits.find(({ id }) => id === next.id)
  if (!before) return [...edits, next]
  const body = { ...before.body, ...next.body }
  const both = { ...next, body, action: next.action ?? before.action, version: before.version }
  return edits.map((edit) => (edit === before ? both : edit))
}

const withoutAction = (edit: TrayEdit): readonly TrayEdit[] =>
  Object.keys(edit.body).length > 0 ? [{ ...edit, action: null }] : []

/** The operations that the service is asked to try and to apply. */
export const operationsOf = (edits: readonly TrayEdit[]): ProposedOperation[] =>
  edits.flatMap(({ id, version, body, action }): ProposedOperation[] => {
    const changes: ProposedOperation[] =
      Object.keys(body).length > 0 ? [{ op: 'update', id, version, body }] : []
    // After its own update the object has another version, and the trial sees which.
    const taken: ProposedOperation[] = action
      ? [{ op: 'action', id, action, ...(changes.length === 0 && { version }) }]
      : []
    return [...changes, ...taken]
  })
