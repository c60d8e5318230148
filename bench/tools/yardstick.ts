/**
 * The bare yardstick: Fastify and `pg` as in a first sketch. No authentication, limits or
 * validation; a pool of 10, named statements, one query or transaction per request.
 */
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ ...JSON.parse(process.env.BENCH_ADDRESS ?? '{}'), max: 10 })
const app = Fastify()

const columns = `id, name, objective, profile_id, status, status_reason, daily_budget_minor,
  lifetime_budget_minor, currency, currency_exponent, start_at, end_at, time_zone, external_id,
  labels, metadata, notes, template_id, template_version, version, created_at, updated_at,
  launched_at, completed_at, archived_at, created_by, updated_by`

const texts = (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, { type: ['string', 'null'] }]))

const Campaign = {
  type: 'object',
  properties: {
    ...texts('id name objective profile_id status status_reason currency time_zone external_id'),
    ...texts('notes template_id created_by updated_by start_at end_at created_at updated_at'),
    ...texts('launched_at completed_at archived_at daily_budget_minor lifetime_budget_minor'),
    labels: { type: 'array', items: { type: 'string' } },
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
    currency_exponent: { type: 'integer' },
    template_version: { type: ['integer', 'null'] },
    version: { type: 'integer' },
  },
}

type OnePath = { Params: { organization: string; id: string } }
type ListPath = { Params: { organization: string } }

app.get<OnePath>(
  '/one/:organization/:id',
  { schema: { response: { 200: Campaign } } },
  async (request) => {
    const { rows } = await pool.query({
      name: 'one',
      text: `select ${columns} from campaigns where organization_id = $1 and id = $2`,
      values: [request.params.organization, request.params.id],
    })
    return rows[0]
  },
)

const List = {
  type: 'object',
  properties: { data: { type: 'array', items: Campaign } },
}

app.get<ListPath>(
  '/list/:organization',
  { schema: { response: { 200: List } } },
  async (request) => {
    const { rows } = await pool.query({
      name: 'list',
      text: `select ${columns} from campaigns where organization_id = $1 and status <> 'archived'
      order by created_at desc, id desc limit 25`,
      values: [request.params.organization],
    })
    return { data: rows }
  },
)

const insert = (table: string) => ({
  name: `insert ${table}`,
  text: `insert into ${table} (id, organization, body, created_at) values ($1, $2, $3, now())`,
})

app.post('/insert', async (request, reply) => {
  const client = await pool.connect()
  const body = JSON.stringify(request.body)
  try {
    await client.query('begin')
    for (const table of ['bare_rows', 'bare_audits', 'bare_events']) {
      await client.query({ ...insert(table), values: [randomUUID(), 'organization', body] })
    }
    await client.query('commit')
  } finally {
    client.release()
  }
  return reply.code(201).send({ ok: true })
})

await pool.query(`
  create table if not exists bare_rows (id uuid primary key, organization text, body jsonb, created_at timestamptz);
  create table if not exists bare_audits (like bare_rows including all);
  create table if not exists bare_events (like bare_rows including all)`)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ address })
process.on('disconnect', () => process.exit(0))
