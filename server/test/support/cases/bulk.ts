import { expect } from 'vitest'
import { columnsOf } from '../../../src/database/tables/types.ts'
import type { Reply, TestOrganization, World } from '../world.ts'
import { campaignBody } from './writes.ts'

export type Operation = Record<string, unknown>
export type Mode = 'atomic' | 'partial'

export const modes: Mode[] = ['atomic', 'partial']
export const okOf = { atomic: 200, partial: 207 }

type Bulk = { mode: Mode; operations: unknown[]; query?: string }

export const send = (
  { owner }: Pick<TestOrganization, 'owner'>,
  { query = '', ...body }: Bulk,
  headers: Record<string, string> = {},
): Promise<Reply> => owner.post(`/campaigns/bulk${query}`, body, headers)

export const create = (profile: string, body: object = {}) => ({
  op: 'create',
  body: { ...campaignBody(profile), ...body },
})

const tables = Object.entries(columnsOf).filter(
  ([name, columns]) => !name.endsWith('_details') && columns.some((it) => it === 'organization_id'),
)

/** Every row of the organization, to check that nothing changed. */
export async function everythingOf(
  { services }: World,
  { id }: TestOrganization,
): Promise<Record<string, unknown[]>> {
  const contents = tables.map(async ([name, columns]) => {
    const order = [1, 2, 3].slice(0, columns.length)
    const sql = `select ${columns} from ${name} where organization_id = $1 order by ${order}`
    return [name, await services.database.reader.query({ sql, parameters: [id] })] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

/** The chain verifies, the counts are exact, and the sequence of events has no gap. */
export async function expectWhole(organization: TestOrganization): Promise<void> {
  const { owner } = organization
  expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
  const { caps } = (await owner.get('/limits')).json()
  const { meta } = (await owner.get('/campaigns?include_total=true')).json()
  expect(caps.campaigns.used).toBe(meta.total)
  const sequences = (await eventsOf(organization)).map(({ sequence }) => sequence)
  expect(sequences).toEqual(sequences.map((_, at) => at + 1))
}

type Event = { sequence: number; type: string; request_id: string }

export async function eventsOf({ owner }: TestOrganization): Promise<Event[]> {
  const events: Event[] = []
  let cursor = ''
  for (;;) {
    const { data, meta } = (await owner.get(`/events?sort=sequence&limit=100${cursor}`)).json()
    events.push(...data)
    if (!meta.has_more) return events
    cursor = `&cursor=${meta.next_cursor}`
  }
}

type AuditRecord = { action: string; resource: { id: string }; outcome: string }

/** The audit records of a request. */
export async function recordsOf({ owner }: TestOrganization, reply: Reply): Promise<AuditRecord[]> {
  const id = reply.headers['x-request-id']
  return (await owner.get(`/audit_logs?request_id=${id}&sort=sequence&limit=100`)).json().data
}

export const idsIn = (reply: Reply): (string | null)[] =>
  reply.json().results.map(({ id }: { id: string | null }) => id)

/** The statuses of the results, or the problem in their place. */
export const statusesIn = (reply: Reply): unknown =>
  reply.json().results?.map(({ status }: { status: number }) => status) ?? reply.json()
