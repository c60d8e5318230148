import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestOrganization, type World } from '../../../test/support/world.ts'
import { problemKinds } from '../../problems/codes.ts'

let world: World
let organization: TestOrganization
beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_MINIMUM_BUDGETS: 'EUR=500' } })
  organization = await world.organization()
})
afterAll(() => world.close())

const read = async (path: string) =>
  (await (await organization.as('viewer')).get(`/reference/${path}`)).json()

test('currencies show their decimals and smallest budgets', async () => {
  const { data } = await read('currencies')
  const of = (code: string) => data.find(({ currency }: { currency: string }) => currency === code)
  expect(of('USD')).toEqual({ currency: 'USD', exponent: 2, minimum_budget_minor: 100 })
  expect(of('JPY')).toEqual({ currency: 'JPY', exponent: 0, minimum_budget_minor: 1 })
  expect(of('KWD')).toMatchObject({ exponent: 3 })
  expect(of('EUR')).toMatchObject({ minimum_budget_minor: 500 })
  expect(of('XAU')).toBeUndefined()
})

test('every listed objective and every alias is accepted, and becomes the objective', async () => {
  const { owner } = organization
  const profile_id = (await owner.post('/profiles', { name: 'P' })).json().id
  const { data } = await read('objectives')
  expect(data).toHaveLength(9)
  for (const { objective, aliases } of data) {
    for (const name of [objective, ...aliases]) {
      const body = { name: 'A', objective: name, profile_id, daily_budget: 5, currency: 'USD' }
      const reply = await owner.post('/campaigns?validate_only=true', body)
      expect([name, reply.json().objective]).toEqual([name, objective])
    }
  }
})

test('every error code links to its page', async () => {
  const { data, item_codes } = await read('errors')
  expect(data.map(({ code }: { code: string }) => code)).toEqual(Object.keys(problemKinds))
  expect(item_codes).toContain('budget_precision')
  for (const { code, type } of data) {
    const page = await world.app.inject({ url: type, headers: { accept: 'text/html' } })
    expect([code, page.statusCode]).toEqual([code, 200])
    expect(page.body).toContain(code)
  }
})
