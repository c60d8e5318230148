import type { Row } from '../../database/tables/tenant-tables.ts'
import { change } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { checkCap } from '../../kernel/quotas.ts'
import {
  checkUnused,
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  remove,
  update,
} from '../../kernel/rows.ts'
import { checkFaults } from '../../problems/problem.ts'
import { anyOf, commonFilters, markFilters } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { byWords } from '../../query/search/search.ts'
import { byName } from '../../query/sorting.ts'
import { withoutArchived } from '../../query/standing.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { patched } from '../../schema/merge-patch.ts'
import { newId } from '../../values/ids.ts'
import { nameKey } from '../../values/name-key.ts'
import { type NormalizedClient, normalize, normalizedFromRow } from './normalize.ts'
import { cap, clientIds } from './resource.ts'
import {
  type Client,
  type ClientChanges,
  type ClientInput,
  clientStatuses,
  readOnlyFields,
} from './schema.ts'

export const clientList: ListShape<'clients'> = {
  table: 'clients',
  filters: {
    ...byWords,
    status: anyOf('status', { allowed: clientStatuses }),
    currency: anyOf('currency'),
    ...markFilters,
    include_archived: withoutArchived.filterOf('clients'),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', byName],
  wide: ['notes', 'labels', 'metadata'],
  standing: withoutArchived.standing,
}

export const listClients = (ctx: Context, query: Query): Promise<Page<Client>> =>
  pageOf(ctx, { list: clientList, query, present: toClient })

export async function getClient(ctx: Context, id: string): Promise<Client> {
  return toClient(await oneOf(ctx, 'clients', id))
}

export const createClient = (ctx: Context, body: ClientInput): Promise<Client> =>
  change(ctx, 'client.created', async (ctx) => {
    const { normalized, faults } = normalize(body)
    checkFaults(ctx, faults)
    await checkCap(ctx, cap)
    const row = { id: newId(clientIds), ...normalized, ...firstStamps(ctx) }
    insert(ctx, 'clients', { ...row, ...storedForms(normalized) })
    return { before: null, after: toClient(row) }
  })

const storedForms = ({ name, metadata }: NormalizedClient) => ({
  nfkc_name_folded: nameKey(name),
  metadata: JSON.stringify(metadata),
})

export const updateClient = (ctx: Context, id: string, changes: ClientChanges): Promise<Client> =>
  change(ctx, 'client.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'clients', id)
    const before = toClient(row)
    const { body, faults: mergeFaults } = patched(ctx, before, changes)
    const { normalized, faults } = normalize({ ...normalizedFromRow(row), ...body })
    const readOnly = await readOnlyFaults(ctx, { before, body, readOnly: readOnlyFields })
    checkFaults(ctx, [...mergeFaults, ...faults, ...readOnly])
    if (changedFields(normalizedFromRow(row), normalized).length === 0)
      return { before, after: before }
    const stamps = nextStamps(ctx, row)
    update(ctx, 'clients', { id, ...normalized, ...storedForms(normalized), ...stamps })
    const after = toClient({ ...row, ...normalized, ...stamps })
    return { before, after, action: actionOf(before, after) }
  })

const actionOf = (before: Client, after: Client) => {
  if (before.status === after.status) return 'client.updated'
  return after.status === 'archived' ? 'client.archived' : 'client.unarchived'
}

export async function deleteClient(ctx: Context, id: string): Promise<void> {
  await change(ctx, 'client.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'clients', id)
    await checkUnused(ctx, id, { type: 'profile', table: 'profiles', column: 'client_id' })
    await checkUnused(ctx, id, { type: 'report', table: 'reports', column: 'client_id' })
    remove(ctx, 'clients', id)
    return { before: toClient(row), after: null }
  })
}

const toClient = (row: Omit<Row<'clients'>, 'organization_id' | 'month_spending'>): Client => ({
  id: row.id,
  name: row.name,
  currency: row.currency,
  time_zone: row.time_zone,
  status: row.status,
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
