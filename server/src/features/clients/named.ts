import { sql } from 'kysely'
import type { WriteContext } from '../../kernel/context.ts'
import { findOne, rowsOf } from '../../kernel/rows.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { invalidReference } from '../../problems/problem.ts'
import { nameKey } from '../../values/name-key.ts'
import { createClient } from './clients.ts'

/** The client of a profile: by its id, its name, or both. */
type Sent = { client_id?: string | null | undefined; client?: string | null | undefined }

type Chosen = { client_id: string | null; client: string | null }

/** `isNew`: no client has the name yet. */
export type ClientChoice = Chosen & { isNew: boolean; faults: Fault[] }

const known = (chosen: Chosen): ClientChoice => ({ ...chosen, isNew: false, faults: [] })

/**
 * Reads which client a body means. Of a body that sends both fields back, the one that changed
 * decides; where both did, they must mean the same.
 */
export async function chosenClient(
  ctx: WriteContext,
  sent: Sent,
  before: Chosen = { client_id: null, client: null },
): Promise<ClientChoice> {
  const { client_id: id = before.client_id, client: name = before.client } = sent
  if (id !== before.client_id && id !== null) {
    const namesIt = name === before.client ? undefined : name
    return byId(ctx, before, { id, name: namesIt })
  }
  if (name !== before.client && name !== null) return byName(ctx, before, name)
  const isCleared = id === null || name === null
  return known(isCleared ? { client_id: null, client: null } : before)
}

type Named = { id: string; name: string | null | undefined }

async function byId(ctx: WriteContext, before: Chosen, { id, name }: Named): Promise<ClientChoice> {
  const row = await findOne(ctx, 'clients', id)
  if (!row) return refused(before, invalidReference('/client_id', id))
  if (row.status === 'archived') return refused(before, isArchived('/client_id', id))
  if (name !== undefined && (name === null || nameKey(name) !== nameKey(row.name))) {
    const message = 'is not the name of client_id: send one of them'
    return refused(before, fault('/client', 'invalid_reference', message, { given: name }))
  }
  return known({ client_id: row.id, client: row.name })
}

async function byName(ctx: WriteContext, before: Chosen, name: string): Promise<ClientChoice> {
  const row = await clientNamed(ctx, name)
  if (!row) return { client_id: null, client: name, isNew: true, faults: [] }
  const isOther = row.id !== before.client_id
  if (isOther && row.status === 'archived') return refused(before, isArchived('/client', name))
  return known({ client_id: row.id, client: row.name })
}

const clientNamed = (ctx: WriteContext, name: string) =>
  rowsOf(ctx, 'clients')
    .where(sql<boolean>`nfkc_name_folded = ${nameKey(name)}`)
    .select(['id', 'name', 'status'])
    .executeTakeFirst()

const refused = (before: Chosen, because: Fault): ClientChoice => ({
  ...known(before),
  faults: [because],
})

const isArchived = (pointer: string, given: string): Fault =>
  fault(pointer, 'invalid_reference', 'is an archived client', { given })

/** Makes the client that no one else has the name of; in the transaction of its profile. */
export async function ensureClient(
  ctx: WriteContext,
  { client_id, client, isNew }: ClientChoice,
): Promise<Chosen> {
  if (!isNew || client === null) return { client_id, client }
  // A dry run shows the profile.
  const dryRun = ctx.dryRun && { ...ctx.dryRun, object: undefined }
  const made = await createClient({ ...ctx, dryRun }, { name: client })
  return { client_id: made.id, client: made.name }
}
