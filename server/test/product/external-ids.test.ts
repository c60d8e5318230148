import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../support/cases/writes.ts'
import { watch } from '../support/documented.ts'
import { openWorld, unlimited, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const bodies: Record<string, (name: string) => object> = {
  profiles: (name) => ({ name }),
  clients: (name) => ({ name }),
  proxies: (name) => ({ name, protocol: 'http', host: 'proxy.example.com', port: 8080 }),
  templates: (name) => ({ name }),
}

describe.each(Object.entries(bodies))('the external id of %s', (kind, body) => {
  const path = `/${kind}`

  test('is set, found by, changed and cleared', async () => {
    const { owner } = await world.organization()
    const id = await made(owner, path, { ...body('A'), external_id: 'crm-1' })
    await made(owner, path, body('B'))
    const found = async (external: string) =>
      (await owner.get(`${path}?external_id=${external}`)).json().data
    expect(await found('crm-1')).toMatchObject([{ id, external_id: 'crm-1' }])
    const changed = await owner.patch(`${path}/${id}`, { external_id: 'crm-2' })
    expect(changed.json()).toMatchObject({ external_id: 'crm-2', version: 2 })
    expect(await found('crm-1')).toEqual([])
    expect(await found('crm-2,crm-3')).toMatchObject([{ id }])
    const cleared = await owner.patch(`${path}/${id}`, { external_id: null })
    expect(cleared.json()).toMatchObject({ external_id: null, version: 3 })
  })

  test('is one object’s alone in its organization, and free again once that is gone', async () => {
    const { owner } = await world.organization()
    const stranger = await world.organization()
    const id = await made(owner, path, { ...body('A'), external_id: 'crm-1' })
    const other = await made(owner, path, body('B'))
    const taken = { status: 409, code: 'external_id_taken' }
    const twin = { ...body('C'), external_id: 'crm-1' }
    expect((await owner.post(path, twin)).json()).toMatchObject(taken)
    const reply = await owner.patch(`${path}/${other}`, { external_id: 'crm-1' })
    expect(reply.json()).toMatchObject(taken)
    expect((await stranger.owner.post(path, twin)).statusCode).toBe(201)
    await owner.delete(`${path}/${id}`)
    expect((await owner.post(path, twin)).statusCode).toBe(201)
  })

  test('has 1 to 128 characters on one line', async () => {
    const { owner } = await world.organization()
    const codeOf = async (external_id: string) => {
      const reply = await owner.post(path, { ...body('A'), external_id })
      return reply.json().errors.map((each: { pointer: string; code: string }) => each)
    }
    const pointer = '/external_id'
    expect(await codeOf('')).toMatchObject([{ pointer, code: 'too_short' }])
    expect(await codeOf('x'.repeat(129))).toMatchObject([{ pointer, code: 'too_long' }])
    expect(await codeOf('a\nb')).toMatchObject([{ pointer, code: 'invalid_format' }])
  })

  test('is in the event and the audit record of its change', async () => {
    const { owner } = await world.organization()
    const id = await made(owner, path, { ...body('A'), external_id: 'crm-1' })
    await owner.patch(`${path}/${id}`, { external_id: 'crm-2' })
    const [event] = (await owner.get('/events')).json().data
    expect(event.data).toMatchObject({
      object: { id, external_id: 'crm-2' },
      previous: { external_id: 'crm-1' },
    })
    const [record] = (await owner.get(`/audit_logs?resource_id=${id}`)).json().data
    expect(record.changes).toEqual([{ field: 'external_id', before: 'crm-1', after: 'crm-2' }])
  })
})

test.each(['clients', 'profiles', 'templates'])(
  '%s get back the external id of a version',
  async (kind) => {
    const { owner } = await world.organization()
    const id = await made(owner, `/${kind}`, { name: 'A', external_id: 'crm-1' })
    await owner.patch(`/${kind}/${id}`, { external_id: null })
    const reply = await owner.post(`/${kind}/${id}/revert`, { to_version: 1 })
    expect(reply.json()).toMatchObject({ external_id: 'crm-1', version: 3 })
  },
)
