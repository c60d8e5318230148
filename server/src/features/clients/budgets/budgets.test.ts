import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import {
  type Client,
  faultsOf,
  openWorld,
  type Reply,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]

async function newClient(body: object = {}) {
  const organization = await world.organization()
  const { owner } = organization
  const id = await made(owner, '/clients', { name: 'Northwind', ...body })
  const path = `/clients/${id}/budgets`
  return { organization, owner, id, path }
}

const get = async (api: Client, path: string) => (await api.get(path)).json()
const changesOf = async (owner: Client) =>
  (await get(owner, '/events?type=client.budget_changed&sort=sequence')).data

const dollars = (amount: number) => ({
  currency: 'USD',
  currency_exponent: 2,
  amount,
  amount_minor: Math.round(amount * 100),
})

describe('a budget of a month', () => {
  test('is set, changed and deleted, with an audit record and an event each', async () => {
    const { owner, id, path } = await newClient()
    const body = { amounts: { USD: 12_000.5, JPY: 300_000, EUR: 0 }, note: 'Signed' }
    const reply = await owner.put(`${path}/2026-12`, body)
    expect([reply.statusCode, reply.headers.etag]).toEqual([201, '"1"'])
    expect(reply.json()).toMatchObject({
      ...{ id, name: 'Northwind', month: '2026-12', note: 'Signed', version: 1 },
      amounts: [
        { currency: 'EUR', currency_exponent: 2, amount: 0, amount_minor: 0 },
        { currency: 'JPY', currency_exponent: 0, amount: 300_000, amount_minor: 300_000 },
        dollars(12_000.5),
      ],
      updated_by: owner.userId,
    })
    const changed = await owner.put(`${path}/2026-12`, { amounts: { USD: 9_000 } })
    expect([changed.statusCode, changed.headers.etag]).toEqual([200, '"2"'])
    expect(changed.json()).toMatchObject({ amounts: [dollars(9_000)], note: null, version: 2 })
    const again = await owner.put(`${path}/2026-12`, { amounts: { USD: 9_000 } })
    expect([again.statusCode, again.json().version]).toEqual([200, 2])
    expect((await owner.delete(`${path}/2026-12`)).statusCode).toBe(204)
    expect(codeOf(await owner.delete(`${path}/2026-12`))).toEqual([404, 'not_found'])
    const [first, second, third, ...more] = await changesOf(owner)
    expect(more).toEqual([])
    expect([first.data.previous, second.data.previous.note]).toEqual([null, 'Signed'])
    expect(third.data).toMatchObject({
      object: { id, amounts: [] },
      previous: { amounts: [dollars(9_000)] },
    })
    const { data } = await get(owner, '/audit_logs?action=client.budget_changed')
    expect(data).toHaveLength(3)
    expect(data[0]).toMatchObject({ resource: { type: 'client', id, name: 'Northwind' } })
  })

  test('is no part of the client’s own versions', async () => {
    const { owner, id, path } = await newClient()
    await owner.put(`${path}/2026-12`, { amounts: { USD: 1 } })
    await owner.patch(`/clients/${id}`, { notes: 'Pays late' })
    await owner.put(`${path}/2026-12`, { amounts: { USD: 2 } })
    const history = (await get(owner, `/clients/${id}/history`)).data
    expect(history.map(({ action }: { action: string }) => action)).toEqual([
      'client.updated',
      'client.created',
    ])
    const reverted = await owner.post(`/clients/${id}/revert`, { to_version: 1 })
    expect(reverted.json()).toMatchObject({ notes: null, version: 3 })
  })

  test('is changed only in the version that the request names', async () => {
    const { owner, path } = await newClient()
    const put = (amount: number, tag: string) =>
      owner.put(`${path}/2026-12`, { amounts: { USD: amount } }, { 'if-match': tag })
    expect(codeOf(await put(1, '"1"'))).toEqual([404, 'not_found'])
    await owner.put(`${path}/2026-12`, { amounts: { USD: 1 } })
    expect((await put(2, '"1"')).json().version).toBe(2)
    expect(codeOf(await put(3, '"1"'))).toEqual([412, 'version_mismatch'])
    const late = await owner.call({
      method: 'DELETE',
      url: `/api/v1${path}/2026-12`,
      headers: { 'if-match': '"1"' },
    })
    expect(codeOf(late)).toEqual([412, 'version_mismatch'])
  })

  test('needs If-Match to be changed, and not to be made, where the organization wants it', async () => {
    const { owner, path } = await newClient()
    await owner.patch('/organization', { require_if_match: true })
    expect((await owner.put(`${path}/2026-12`, { amounts: { USD: 1 } })).statusCode).toBe(201)
    expect(codeOf(await owner.put(`${path}/2026-12`, { amounts: { USD: 2 } }))).toEqual([
      428,
      'precondition_required',
    ])
  })

  test('is tried out without being set', async () => {
    const { owner, path } = await newClient()
    const tried = await owner.put(`${path}/2026-12?validate_only=true`, { amounts: { USD: 5 } })
    expect(tried.json()).toMatchObject({ amounts: [dollars(5)], version: 1 })
    expect((await get(owner, `${path}?from=2026-12&to=2026-12`)).data).toMatchObject([
      { amounts: null },
    ])
    expect(await changesOf(owner)).toEqual([])
  })

  test('is set once by a repeated request', async () => {
    const { owner, path } = await newClient()
    const put = () =>
      owner.put(`${path}/2026-12`, { amounts: { USD: 5 } }, { 'idempotency-key': 'once' })
    const replies = [await put(), await put()]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect(await changesOf(owner)).toHaveLength(1)
  })

  test('is refused with every fault at once', async () => {
    const { owner, path } = await newClient()
    const put = (body: object, month = '2026-12') => owner.put(`${path}/${month}`, body)
    const faulty = await put({
      amounts: { USD: -1, JPY: 1.5, XXX: 1, EUR: 2_000_000_000, KWD: 'x' },
      note: 'x'.repeat(2001),
      month: '2026-11',
    })
    expect(faultsOf(faulty).sort()).toEqual([
      '/amounts/EUR out_of_range',
      '/amounts/JPY budget_precision',
      '/amounts/KWD invalid_format',
      '/amounts/USD out_of_range',
      '/amounts/XXX unsupported_currency',
      '/month unknown_field',
      '/note too_long',
    ])
    expect((await put({ amounts: {} })).statusCode).toBe(422)
    expect((await put({})).statusCode).toBe(422)
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, at) => [
        `A${String.fromCharCode(65 + (at % 26), 65 + Math.floor(at / 26))}`,
        1,
      ]),
    )
    expect((await put({ amounts: many })).statusCode).toBe(422)
    for (const month of ['2026-13', '2026-1', '1999-12', '2100-01', '2026-12-01', 'x']) {
      expect([month, codeOf(await put({ amounts: { USD: 1 } }, month))]).toEqual([
        month,
        [404, 'not_found'],
      ])
    }
  })

  test('is written by editors, and read by viewers', async () => {
    const { organization, path } = await newClient()
    const [editor, viewer] = [await organization.as('editor'), await organization.as('viewer')]
    expect((await editor.put(`${path}/2026-12`, { amounts: { USD: 1 } })).statusCode).toBe(201)
    expect(codeOf(await viewer.put(`${path}/2026-12`, { amounts: { USD: 1 } }))).toEqual([
      403,
      'insufficient_role',
    ])
    expect(codeOf(await viewer.delete(`${path}/2026-12`))).toEqual([403, 'insufficient_role'])
    expect((await get(viewer, `${path}?from=2026-12`)).data[0].amounts).toEqual([dollars(1)])
  })

  test('goes with its client, and stays with an archived one', async () => {
    const { owner, id, path } = await newClient()
    await owner.put(`${path}/2026-12`, { amounts: { USD: 1 } })
    await owner.patch(`/clients/${id}`, { status: 'archived' })
    expect((await owner.put(`${path}/2026-12`, { amounts: { USD: 2 } })).statusCode).toBe(200)
    expect((await owner.delete(`/clients/${id}`)).statusCode).toBe(204)
    expect(codeOf(await owner.get(path))).toEqual([404, 'not_found'])
  })

  test('is out of reach for other organizations', async () => {
    const { owner, path } = await newClient()
    await owner.put(`${path}/2026-12`, { amounts: { USD: 1 } })
    const { owner: stranger } = await world.organization()
    const replies = [
      await stranger.get(path),
      await stranger.put(`${path}/2026-12`, { amounts: { USD: 2 } }),
      await stranger.delete(`${path}/2026-12`),
    ]
    expect(replies.map(codeOf)).toEqual(replies.map(() => [404, 'not_found']))
  })
})

describe('the months of a client', () => {
  type Month = { month: string; amounts: unknown }

  const monthsIn = async (owner: Client, path: string) =>
    (await get(owner, path)).data.map(({ month }: Month) => month)

  test('are twelve from this one on, in its zone, else the organization’s', async () => {
    const { owner, path } = await newClient()
    const now = world.clock.now()
    // In one of these zones it is always another day than in the other.
    const thisMonth = (timeZone: string) =>
      Temporal.Instant.from(now.toISOString())
        .toZonedDateTimeISO(timeZone)
        .toPlainDate()
        .toPlainYearMonth()
        .toString()
    await owner.patch('/organization', { time_zone: 'Pacific/Kiritimati' })
    const months = await monthsIn(owner, path)
    expect([months.length, months[0]]).toEqual([12, thisMonth('Pacific/Kiritimati')])
    const { id } = (
      await owner.post('/clients', { name: 'West', time_zone: 'Pacific/Pago_Pago' })
    ).json()
    expect((await monthsIn(owner, `/clients/${id}/budgets`))[0]).toBe(
      thisMonth('Pacific/Pago_Pago'),
    )
  })

  test('are all there, those without a budget with null', async () => {
    const { owner, path } = await newClient()
    await owner.put(`${path}/2027-01`, { amounts: { USD: 7 } })
    await owner.put(`${path}/2027-03`, { amounts: { USD: 8 } })
    const { data } = await get(owner, `${path}?from=2026-12&to=2027-01`)
    expect(data).toMatchObject([
      { month: '2026-12', amounts: null, version: null, updated_at: null, updated_by: null },
      { month: '2027-01', amounts: [dollars(7)], version: 1, updated_by_name: 'Olga Owner' },
    ])
  })

  test('are at most 36, and in order', async () => {
    const { owner, path } = await newClient()
    const faultsAt = async (query: string) => faultsOf(await owner.get(`${path}?${query}`))
    expect(await monthsIn(owner, `${path}?from=2024-01&to=2026-12`)).toHaveLength(36)
    expect(await faultsAt('from=2024-01&to=2027-01')).toEqual(['to out_of_range'])
    expect(await faultsAt('from=2026-12&to=2026-11')).toEqual(['to end_before_start'])
    expect(await faultsAt('from=2026-12-01')).toEqual(['from invalid_format'])
    expect(await monthsIn(owner, `${path}?from=2099-06`)).toHaveLength(7)
  })
})
