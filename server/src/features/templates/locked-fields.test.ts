import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../../../test/support/cases/bulk.ts'
import { made, profileOf } from '../../../test/support/cases/writes.ts'
import { type Client, openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const defaults = { objective: 'sales', daily_budget: 33.51, currency: 'USD', notes: 'n' }
const locked_fields = ['objective', 'daily_budget', 'notes']
const locked = (pointer: string) => ({ pointer, code: 'locked_field' })

/** An organization with a campaign from a template that locks some fields. */
async function lockedCampaign() {
  const organization = await world.organization()
  const { owner } = organization
  const profile_id = await profileOf(organization, { currency: null })
  const template = await made(owner, '/templates', { name: 'T', defaults, locked_fields })
  const fields = { name: 'A', template_id: template, profile_id }
  const id = await made(owner, '/campaigns', fields)
  return { organization, owner, template, profile_id, id }
}

describe('a field that the template locks', () => {
  test('cannot be changed or cleared later', async () => {
    const { owner, id } = await lockedCampaign()
    const before = (await owner.get(`/campaigns/${id}`)).json()
    for (const method of ['PUT', 'PATCH'] as const) {
      const payload = { objective: 'leads', daily_budget: 34, notes: null, name: 'B' }
      const reply = await owner.call({ method, url: `/campaigns/${id}`, payload })
      expect(reply.statusCode).toBe(422)
      expect(reply.json().errors).toMatchObject([
        { ...locked('/objective'), allowed: ['sales'] },
        { ...locked('/daily_budget'), allowed: [33.51] },
        locked('/notes'),
      ])
    }
    expect((await owner.get(`/campaigns/${id}`)).json()).toEqual(before)
  })

  test('may be sent unchanged, in any spelling, together with other changes', async () => {
    const { owner, id } = await lockedCampaign()
    const same = { objective: 'OUTCOME_SALES', daily_budget: '33.510', notes: 'n' }
    const reply = await owner.put(`/campaigns/${id}`, { ...same, name: 'B', lifetime_budget: 99 })
    expect([reply.statusCode, reply.json().name]).toEqual([200, 'B'])
  })

  test('is reported together with all other faults', async () => {
    const { owner, id } = await lockedCampaign()
    await owner.post(`/campaigns/${id}/launch`)
    const body = { objective: 'leads', lifetime_budget: 0 }
    const { errors } = (await owner.put(`/campaigns/${id}`, body)).json()
    expect(errors).toMatchObject([
      { pointer: '/objective', code: 'immutable_field' },
      { pointer: '/lifetime_budget', code: 'out_of_range' },
      locked('/objective'),
    ])
  })

  test.each(['atomic', 'partial'] as const)('stays locked in %s bulk requests', async (mode) => {
    const { organization, id, owner } = await lockedCampaign()
    const free = await lockFree(owner, id)
    const operations = [
      { op: 'update', id, body: { objective: 'leads' } },
      { op: 'update', id: free, body: { objective: 'leads' } },
    ]
    const reply = await send(organization, { mode, operations })
    const reported = mode === 'atomic' ? reply.json() : reply.json().results[0].problem
    expect(reported.errors).toMatchObject([locked('/operations/0/body/objective')])
    const { objective } = (await owner.get(`/campaigns/${free}`)).json()
    expect(objective).toBe(mode === 'atomic' ? 'sales' : 'leads')
  })

  test('stays unchanged in a revert of the other fields', async () => {
    const { owner, id } = await lockedCampaign()
    await owner.put(`/campaigns/${id}`, { name: 'B' })
    const reply = await owner.post(`/campaigns/${id}/revert`, { to_version: 1 })
    expect(reply.json()).toMatchObject({ name: 'A', objective: 'sales', notes: 'n', version: 3 })
  })

  test('is not a field of the campaign', async () => {
    const { owner, id } = await lockedCampaign()
    expect(Object.keys((await owner.get(`/campaigns/${id}`)).json())).not.toContain('locked_fields')
  })
})

describe('the locked fields are those of the template when the campaign was made', () => {
  test('whatever it locks and sets since', async () => {
    const { owner, id, template } = await lockedCampaign()
    const now = { defaults: { ...defaults, objective: 'leads' }, locked_fields: ['notes'] }
    await owner.put(`/templates/${template}`, now)
    for (const objective of ['leads', 'reach']) {
      const reply = await owner.put(`/campaigns/${id}`, { objective })
      expect(reply.json().errors).toMatchObject([{ ...locked('/objective'), allowed: ['sales'] }])
    }
  })

  test('so a field locked later stays editable', async () => {
    const { owner, template, profile_id } = await lockedCampaign()
    await owner.put(`/templates/${template}`, { locked_fields: [] })
    const id = await made(owner, '/campaigns', { name: 'A', template_id: template, profile_id })
    await owner.put(`/templates/${template}`, { locked_fields })
    expect((await owner.put(`/campaigns/${id}`, { objective: 'leads' })).statusCode).toBe(200)
  })

  test('fields stay locked once the template is gone', async () => {
    const { owner, id, template } = await lockedCampaign()
    await owner.delete(`/templates/${template}`)
    const reply = await owner.put(`/campaigns/${id}`, { objective: 'leads', name: 'B' })
    expect(reply.json().errors).toMatchObject([locked('/objective')])
  })

  test('a duplicate has no link to the template', async () => {
    const { owner, id } = await lockedCampaign()
    const copy = await lockFree(owner, id)
    expect((await owner.put(`/campaigns/${copy}`, { objective: 'leads' })).statusCode).toBe(200)
  })
})

const lockFree = (owner: Client, id: string) => made(owner, `/campaigns/${id}/duplicate`, {})
