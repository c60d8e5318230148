import { expect, vi } from 'vitest'
import type { Receiver } from '../support/machines/receiver.ts'
import { type Ask, carefulClient, type Shown } from './careful-client.ts'
import type { Tenant } from './environment.ts'
import { openIncidentLog } from './incident-log.ts'
import type { Acknowledged, Load } from './load.ts'

type Seen = { url: string; receiver: Receiver; deliveredWithinMs?: number }

/** Every acknowledged write exists once, no refused one does, and all events are in order. */
export async function expectNothingLost(load: Load, seen: Seen): Promise<void> {
  await load.stop()
  expect(load.incidentLog.wrong).toEqual([])
  for (const tenant of load.tenants) {
    const { token } = tenant
    const ask = carefulClient({ urls: [seen.url], token, incidentLog: openIncidentLog() })
    await expectKept({ ask, tenant, book: load.acknowledged(tenant) })
    await expectRecorded({ ask, tenant, book: load.acknowledged(tenant) })
    await expectDelivered({ ask, tenant }, seen)
  }
}

type Checked = { ask: Ask; tenant: Tenant; book: Acknowledged }

async function expectKept({ ask, book }: Checked): Promise<void> {
  const templates = await all(ask, '/templates')
  expect(namesAndIds(templates)).toEqual([...book.templates].sort())
  const campaigns = await all(ask, '/campaigns')
  const found = campaigns.map(({ name, id, status }) => [name, { id, status }])
  expect(found.sort()).toEqual([...book.campaigns].sort())
  expect(book.refused.size).toBeGreaterThan(0)
  const { caps } = (await ask('GET', '/limits')).body
  expect(caps).toMatchObject({
    templates: { used: templates.length },
    campaigns: { used: campaigns.length },
  })
}

async function expectRecorded({ ask, book }: Checked): Promise<void> {
  const events = await all(ask, '/events?sort=sequence')
  expectNoGap(events)
  const changes = { ...countsOf(events, ({ type }) => type) }
  const statuses = [...book.campaigns.values()].map(({ status }) => status)
  const paused = statuses.filter((status) => status === 'paused').length
  expect(changes).toMatchObject({
    'template.created': book.templates.size,
    'campaign.created': book.campaigns.size,
    'campaign.paused': paused,
  })
  const records = await all(ask, '/audit_logs?sort=sequence')
  expectNoGap(records)
  expect(countsOf(records, ({ action }) => action)).toMatchObject(changes)
  expect((await ask('GET', '/audit_logs/verify')).body).toMatchObject({ valid: true })
}

/** The endpoint received every event since its creation, at least once. */
async function expectDelivered(
  { ask, tenant }: Omit<Checked, 'book'>,
  { receiver, deliveredWithinMs = 10_000 }: Seen,
): Promise<void> {
  const path = `/webhook_endpoints/${tenant.endpointId}/deliveries`
  const events = await all(ask, '/events?sort=sequence')
  const own = events.findIndex(({ type }) => type === 'webhook_endpoint.created')
  const expected = events.slice(own + 1).map(({ id }) => id)
  const newest = expected.toSorted().at(-1) ?? ''
  // Newer ones are of what the background has done since the events were read.
  const delivered = (await all(ask, path))
    .map(({ event_id }) => String(event_id))
    .filter((id) => id <= newest)
  expect(delivered.sort()).toEqual(expected.toSorted())
  const missing = () => {
    const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    return expected.filter((id) => !arrived.has(id))
  }
  await vi.waitFor(() => expect(missing()).toEqual([]), {
    timeout: deliveredWithinMs,
    interval: 100,
  })
}

/** All pages of a list. */
async function all(ask: Ask, path: string): Promise<Shown[]> {
  const found: Shown[] = []
  let cursor: string | null = null
  do {
    const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const joint = path.includes('?') ? '&' : '?'
    const { body, text } = await ask('GET', `${path}${joint}limit=100${from}`)
    if (!Array.isArray(body.data)) throw new Error(`${path} answered ${text}`)
    found.push(...body.data)
    cursor = (body.meta as { next_cursor: string | null }).next_cursor
  } while (cursor !== null)
  return found
}

const namesAndIds = (objects: readonly Shown[]) => objects.map(({ name, id }) => [name, id]).sort()

function expectNoGap(reported: readonly Shown[]): void {
  expect(reported.map(({ sequence }) => sequence)).toEqual(reported.map((_, at) => at + 1))
}

function countsOf(reported: readonly Shown[], kindOf: (each: Shown) => unknown) {
  return Object.fromEntries(
    Object.entries(Object.groupBy(reported, (each) => String(kindOf(each)))).map(([kind, each]) => [
      kind,
      each?.length,
    ]),
  )
}
