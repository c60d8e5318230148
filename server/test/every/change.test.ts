import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnsOf } from '../../src/database/tables/types.ts'
import { methodsOf } from '../../src/http/endpoint.ts'
import { supportsDryRun } from '../../src/http/reply/dry-run.ts'
import { decodeMessage } from '../../src/signals/codec.ts'
import { canonicalJson, sha256Hex } from '../../src/values/canonical-json.ts'
import { everythingOf } from '../support/cases/bulk.ts'
import { byLink } from '../support/cases/people/people-cases.ts'
import { pathWith, type Write, writes } from '../support/cases/write-cases.ts'
import { campaignBody, profileOf } from '../support/cases/writes.ts'
import { endpoints, watch } from '../support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import type { Reply, TestOrganization } from '../support/world.ts'

let world: OwnWorld

/** Rows of an organization listed in `faults` cannot be written. */
const faultsSql = `
  create table faults (organization_id text, relation text);
  create function fail_deliberately() returns trigger language plpgsql as $$
  begin
    if exists (
      select from faults f
      where f.organization_id = new.organization_id
        and tg_table_name in (f.relation, f.relation || substring(tg_table_name from '_\\d{8}$'))
    ) then
      raise exception 'deliberate fault';
    end if;
    return new;
  end
  $$;
  create trigger a before insert on audit_logs
    for each row execute function fail_deliberately();
  create trigger b before insert on events
    for each row execute function fail_deliberately();
  create trigger c before insert or update on idempotency_keys
    for each row execute function fail_deliberately();
  create trigger d before update on organization_heads
    for each row execute function fail_deliberately()`

beforeAll(async () => {
  world = watch(await openOwnWorld())
  await world.database.query(faultsSql)
})
afterAll(async () => {
  await world.close()
})

const cases = Object.entries(writes).map(([name, write]) => ({ name, write }))
const isKeyed = (name: string, { anonymous }: Write) => !name.startsWith('GET') && !anonymous

type Case = (typeof cases)[number]

/** Prepares a case; answers its request, the same one each time. */
async function requestOf({ name, write }: Case, organization: TestOrganization) {
  const { send } = await arranged({ name, write }, organization)
  return () => send('')
}

async function arranged({ name, write }: Case, organization: TestOrganization) {
  const id = (await write.arrange?.(organization)) ?? ''
  const [method, path = ''] = name.split(' ')
  const payload = write.body?.(id, organization)
  const client = write.anonymous ? world.anonymous : organization.owner
  const key = isKeyed(name, write) ? { 'idempotency-key': 'once' } : {}
  const headers = { ...write.headers, ...key }
  const send = (query: string): Promise<Reply> =>
    client.call({
      method: method as 'GET',
      url: `${pathWith(path, id)}${query}`,
      headers,
      ...(payload && { payload }),
    })
  return { send }
}

type Row = Record<string, unknown> & { sequence: number; hash: string }

const readRows = (relation: 'audit_logs' | 'events', organizationId: string): Promise<Row[]> =>
  world.services.database.reader.query({
    sql: `select ${columnsOf[relation]} from ${relation}
      where organization_id = $1 order by sequence`,
    parameters: [organizationId],
  })

async function ledgerOf({ id }: TestOrganization) {
  return { records: await readRows('audit_logs', id), events: await readRows('events', id) }
}

test('every writing endpoint has a case here', () => {
  // Tests of invitations, passwords and factors have those by a link or a challenge.
  const others = endpoints.filter(({ operation }) => !byLink.includes(operation))
  const writing = others.flatMap((endpoint) =>
    methodsOf(endpoint)
      // Reports of connectors are written beside the audit log.
      .filter((method) => !endpoint.noKey && (method !== 'GET' || endpoint.action !== undefined))
      .map((method) => `${method} ${endpoint.path}`),
  )
  expect(Object.keys(writes).sort()).toEqual(writing.sort())
})

describe('a successful change makes one record and one event', () => {
  test.each(cases)('$name', async (each) => {
    const organization = await world.organization()
    // The case may end the owner's session.
    const auditor = await organization.as('auditor')
    const send = await requestOf(each, organization)
    const before = await ledgerOf(organization)
    const reply = await send()
    expect([reply.body, reply.statusCode]).toEqual([reply.body, expect.toSatisfy((it) => it < 300)])
    const after = await ledgerOf(organization)
    expectOneRecord(before.records, after.records, { ...each, reply })
    expectEvent(before.events, after.events, { ...each, reply })
    expect((await auditor.get('/audit_logs/verify')).json()).toMatchObject({
      valid: true,
      to_sequence: after.records.length,
    })
  })
})

type Sent = Case & { reply: Reply }

function expectOneRecord(before: Row[], after: Row[], { name, write, reply }: Sent): void {
  const { after: former = [] } = write
  const added = after.slice(before.length)
  expect(added.map(({ action }) => action)).toEqual([...former, write.action])
  const [last, record] = [before.at(-1), ...added].slice(-2)
  if (!record) throw new Error('no record')
  const { organization_id: _, stored_on: __, change_set_id, prev_hash, hash, ...rest } = record
  const said = change_set_id === null ? rest : { ...rest, change_set_id }
  expect(record).toMatchObject({
    id: expect.stringMatching(/^aud_/),
    sequence: (last?.sequence ?? 0) + 1,
    action: write.action,
    outcome: 'success',
    prev_hash: last?.hash,
    request: {
      id: reply.headers['x-request-id'],
      method: name.split(' ')[0],
      status: reply.statusCode,
    },
  })
  expect(hash).toBe(sha256Hex(`${prev_hash}\n${canonicalJson(said)}`))
}

function expectEvent(before: Row[], after: Row[], { name, write, reply }: Sent): void {
  const last = before.at(-1)?.sequence ?? 0
  const added = after.filter(({ sequence }) => sequence > last)
  const { after: former = [] } = write
  expect(added.map(({ type }) => type)).toEqual(
    write.event ? [...former, write.action] : [...former],
  )
  const first = after[0]?.sequence ?? 1
  expect(after.map(({ sequence }) => sequence)).toEqual(after.map((_, at) => first + at))
  const isShown = write.event && !name.startsWith('DELETE')
  const isOfReply = ({ body }: Row) =>
    isShown && JSON.parse(String(body)).data.object.id === changedIn(reply)
  const row = added.find(isOfReply) ?? added[0]
  if (!row) return
  const event = JSON.parse(String(row.body))
  const shown = !isShown ? {} : { data: { object: { id: changedIn(reply) } } }
  expect(event).toMatchObject({
    id: row.id,
    sequence: row.sequence,
    type: row.type,
    timestamp: row.occurred_at,
    api_version: 'v1',
    request_id: reply.headers['x-request-id'],
    test: false,
    ...shown,
  })
  expect(JSON.stringify(event)).not.toMatch(/hidden-away|another one|argon2|whsec_|fdk_/)
}

/** A bulk request answers its changes in `results`. */
function changedIn(reply: Reply): unknown {
  const { id, results } = reply.json()
  return id ?? results[0].id ?? results[0].campaign_id
}

/** Repeating these has an effect again. */
const repeating = /login|export/

/** These end the session that sends them. */
const endsItself = /^DELETE .auth/

describe('a repeated request makes no record and no event', () => {
  test.each(cases.filter(({ name }) => !repeating.test(name)))('$name', async (each) => {
    const organization = await world.organization()
    const send = await requestOf(each, organization)
    const first = await send()
    const before = await everythingOf(world, organization)
    const again = await send()
    expect(await everythingOf(world, organization)).toEqual(before)
    if (isKeyed(each.name, each.write) && !endsItself.test(each.name)) {
      expect(again.statusCode).toBe(first.statusCode)
      expect(again.headers['idempotency-replayed']).toBe('true')
    }
    if (/^(PUT|PATCH)/.test(each.name)) expect(again.json()).toEqual(first.json())
  })
})

describe('a fault halfway leaves nothing behind', () => {
  test.each(cases)('$name', async (each) => {
    const organization = await world.organization()
    const send = await requestOf(each, organization)
    const before = await everythingOf(world, organization)
    const relations = [
      'audit_logs',
      'organization_heads',
      ...(each.write.event ? ['events'] : []),
      ...(isKeyed(each.name, each.write) ? ['idempotency_keys'] : []),
    ]
    for (const relation of relations) {
      await world.database.query('insert into faults values ($1, $2)', [organization.id, relation])
      const reply = await send()
      await world.database.query('delete from faults where organization_id = $1', [organization.id])
      expect([relation, reply.statusCode]).toEqual([relation, 500])
      const { instance: _, ...problem } = reply.json()
      expect(problem).toMatchObject({ code: 'internal_error', errors: [] })
      expect(JSON.stringify(problem)).not.toMatch(/deliberate|audit_logs|insert|\.ts/)
      expect(await everythingOf(world, organization)).toEqual(before)
    }
    expect((await send()).statusCode).toBeLessThan(300)
    const after = await ledgerOf(organization)
    expect(after.records).toHaveLength(
      (before.audit_logs as unknown[]).length + 1 + (each.write.after?.length ?? 0),
    )
  })
})

const isTriable = ({ name }: Case) =>
  endpoints.some(
    (endpoint) =>
      supportsDryRun(endpoint) &&
      methodsOf(endpoint).some((method) => name === `${method} ${endpoint.path}`),
  )

/** Generated by each request, so it differs between a dry run and the real request. */
const own = /^(id|secret|secret_hint|key|key_hint|temporary_password|url|warnings|event_id)$/

const secretsSeen: string[] = []

/** Fields that contain secrets, at any depth. */
const secretsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([field, inner]) =>
        isSecret(field, inner) ? [field] : secretsIn(inner),
      )

const isSecret = (field: string, value: unknown): boolean =>
  typeof value === 'string' &&
  (/^(?:whsec_|fdk_)/.test(value) || /^(?:secret|key|token|password|.*_password)$/.test(field))

const comparable = ({ results, ...object }: Record<string, unknown>) => ({
  ...Object.fromEntries(Object.entries(object).filter(([field]) => !own.test(field))),
  ...(Array.isArray(results) && { results: results.map(withoutMade) }),
})

/** A dry run names other new objects than the write after it. */
const withoutMade = ({ campaign_id: _, deployment_id: __, ...result }: Record<string, unknown>) =>
  result

describe('with validate_only a write shows its result and changes nothing', () => {
  test.each(cases.filter(isTriable))('$name', async (each) => {
    const organization = await world.organization()
    const { send } = await arranged(each, organization)
    const before = await everythingOf(world, organization)
    const trial = await send('?validate_only=true')
    expect([trial.statusCode, trial.body]).toEqual([200, trial.body])
    expect(trial.json().warnings).toEqual(expect.any(Array))
    expect(secretsIn(trial.json())).toEqual([])
    expect(await everythingOf(world, organization)).toEqual(before)
    const real = await send('')
    expect(real.statusCode).toBeLessThan(300)
    if (real.statusCode !== 204) {
      expect(comparable(real.json())).toMatchObject(comparable(trial.json()))
      secretsSeen.push(...secretsIn(real.json()))
    }
  })

  test('dry runs show no secret of any kind that the writes above generate', () => {
    expect(secretsSeen.toSorted()).toEqual(['key', 'secret', 'secret', 'temporary_password'])
  })

  test('a dry run refuses what the request would, without a trace', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.post('/templates', { name: 'taken' })
    const before = await everythingOf(world, organization)
    const taken = await owner.post('/templates?validate_only=true', { name: 'taken' })
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'duplicate_name'])
    const faulty = await owner.post('/templates?validate_only=true', { nam: 'x' })
    expect(faulty.json().errors).toHaveLength(2)
    expect((await owner.delete('/templates/tpl_x?validate_only=true')).statusCode).toBe(404)
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('a dry run warns about accepted but doubtful input', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile = await profileOf(organization)
    await owner.put(`/profiles/${profile}`, { status: 'paused' })
    const body = { ...campaignBody(profile), start_at: '2020-01-01T00:00:00Z' }
    const trial = await owner.post('/campaigns?validate_only=true', body)
    expect(trial.json().warnings).toEqual([
      { pointer: '/start_at', code: 'start_in_past', message: expect.any(String) },
      {
        pointer: null,
        code: 'launch_blocked',
        message: expect.stringContaining('profile_not_active'),
      },
    ])
  })

  test('a dry run refused for the role is not recorded', async () => {
    const organization = await world.organization()
    const viewer = await organization.as('viewer')
    const before = await everythingOf(world, organization)
    expect((await viewer.post('/templates?validate_only=true', { name: 'x' })).statusCode).toBe(403)
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('validate_only is a parameter of writes only', async () => {
    const { owner } = await world.organization()
    expect((await owner.get('/campaigns?validate_only=true')).json().code).toBe('unknown_parameter')
    const odd = await owner.post('/templates?validate_only=maybe', { name: 'x' })
    expect([odd.statusCode, odd.json().code]).toEqual([400, 'invalid_parameter'])
    const untried = endpoints
      .filter((each) => each.noDryRun && !each.noKey)
      .map(({ action }) => action)
    expect(untried.sort()).toEqual([
      'auth.factor_added',
      'auth.factor_begun',
      'auth.factors_removed',
      'auth.logged_out',
      'auth.login_code_confirmed',
      'auth.login_code_refused',
      'auth.password_reset_requested',
      'auth.refreshed',
      'organization.sso_domain_proved',
      'organization.sso_tested',
      'proxy.checked',
      'proxy.credentials_revealed',
    ])
  })
})

/** The columns of credentials that processes cache: see the states in server/src/identity/. */
const credentials = {
  organizations: 'id, name, plan, status, require_if_match, require_second_factor, clock_ahead_ms',
  users: 'id, name, role, disabled, second_factor',
  sessions: 'id, user_id, token_id, replaced_tokens, expires_at, ended_at',
  api_keys: 'id, name, role, expires_at, revoked_at, maker_id',
}

/** Rows as texts, by id. */
async function credentialsOf({ id }: TestOrganization): Promise<Map<unknown, string>> {
  const rows = await Promise.all(
    Object.entries(credentials).map(([table, columns]) => {
      const owner = table === 'organizations' ? 'id' : 'organization_id'
      const sql = `select ${columns} from ${table} where ${owner} = $1`
      return world.services.database.reader.query<{ id: string }>({ sql, parameters: [id] })
    }),
  )
  return new Map(rows.flat().map((row) => [row.id, JSON.stringify(row)]))
}

describe('a commit that changes credentials notifies the caches of other processes', () => {
  const heard: string[] = []
  let spy: pg.Client

  beforeAll(async () => {
    spy = new pg.Client(world.database.address)
    await spy.connect()
    await spy.query('listen flightdeck')
    spy.on('notification', ({ payload = '' }) => void heard.push(payload))
  })
  afterAll(() => spy.end())

  const changed = new Set<string>()

  test.each(cases)('$name', async (each) => {
    const organization = await world.organization()
    const send = await requestOf(each, organization)
    await spy.query('select')
    heard.length = 0
    const before = await credentialsOf(organization)
    expect((await send()).statusCode).toBeLessThan(300)
    const after = await credentialsOf(organization)
    // Anything sent before this answer has arrived before it.
    await spy.query('select')
    if ([...before].every(([id, row]) => after.get(id) === row)) return
    changed.add(each.name)
    expect(heard.map(decodeMessage)).toContainEqual({
      from: '',
      signals: [{ organizationId: organization.id, endpointIds: [], touchesCredentials: true }],
    })
  })

  test('and some do', () => {
    expect(changed).toContain('DELETE /auth/logout')
    expect(changed.size).toBeGreaterThan(8)
  })
})
