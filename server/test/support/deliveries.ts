import { made } from './cases/writes.ts'
import type { Client, TestOrganization, World } from './world.ts'

type Shown = Record<string, unknown> & { id: string }

export const hookUrl = 'https://example.com/hooks'

/** A new endpoint that receives all events, unless the body says otherwise. */
export const endpointOf = async ({ owner }: TestOrganization, body: object = {}) =>
  (await owner.post('/webhook_endpoints', { url: hookUrl, ...body })).json()

/** Makes this many events, and a delivery of each to every endpoint that subscribes. */
export async function makeEvents({ owner }: TestOrganization, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await made(owner, '/profiles', { name: `Profile ${at}` })
}

/** The deliveries of an endpoint, oldest first. */
export const deliveriesTo = async (owner: Client, id: string, query = ''): Promise<Shown[]> =>
  (await owner.get(`/webhook_endpoints/${id}/deliveries?sort=created_at&${query}`)).json().data

/** Executes what otherwise only the service does. */
export const execute = (world: World, sql: string, parameters: unknown[]): Promise<void> =>
  world.services.database.transaction(async (tx) => tx.send({ sql, parameters }))

export const rowsOf = (world: World, table: string, { id }: TestOrganization) =>
  world.services.database.reader.query<Record<string, unknown>>({
    sql: `select * from ${table} where organization_id = $1 order by 2`,
    parameters: [id],
  })

/** Sets deliveries to the status that an attempt would have left. */
export const setStatus = (world: World, ids: readonly string[], status: string): Promise<void> =>
  execute(
    world,
    `update webhook_deliveries set status = $2, attempt_count = 10, retry_count = 9,
      next_attempt_at = null, last_response_status = 500, last_error = 'answered 500'
    where id = any($1)`,
    [ids, status],
  )

const attemptSql = `
  insert into webhook_attempts (organization_id, delivery_id, number, trigger, started_at,
    duration_ms, address, request_headers, response_status, response_headers, response_body, error)
  select $1, $2, t.* from jsonb_to_recordset($3) as t(number integer, trigger text,
    started_at timestamptz, duration_ms integer, address text, request_headers jsonb,
    response_status smallint, response_headers jsonb, response_body text, error jsonb)`

/** Records attempts as the delivery does. */
export const recordAttempts = (
  world: World,
  { id }: TestOrganization,
  { deliveryId, attempts }: { deliveryId: string; attempts: readonly object[] },
): Promise<void> => execute(world, attemptSql, [id, deliveryId, JSON.stringify(attempts)])
