import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import {
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

let world: World
let organization: TestOrganization

type ShownCampaign = { id: string; daily_budget: number | null; end_at: string | null }

/** Equal values, none, and currencies with 0, 2 and 3 decimals. */
const plans = [
  { daily_budget: 20.5, currency: 'USD' },
  { daily_budget: 20, currency: 'JPY', end_at: '2031-01-01T00:00:00Z' },
  { daily_budget: 20.499, currency: 'KWD', end_at: '2030-01-01T00:00:00Z' },
  { daily_budget: null, lifetime_budget: 500, currency: 'USD' },
  { daily_budget: 3, currency: 'EUR', end_at: '2031-01-01T00:00:00Z' },
  { daily_budget: 1_000_000_000, currency: 'KWD', end_at: '2030-06-01T00:00:00Z' },
]

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  organization = await world.organization()
  const profile = await profileOf(organization, { currency: null })
  for (let at = 0; at < 18; at += 1) {
    const body = { ...campaignBody(profile), ...plans[at % plans.length] }
    await made(organization.owner, '/campaigns', body)
  }
})
afterAll(() => world.close())

async function walk(search: string): Promise<ShownCampaign[]> {
  const seen: ShownCampaign[] = []
  for (let cursor = ''; seen.length < 100; ) {
    const { data, meta } = (await organization.owner.get(`/campaigns?${search}${cursor}`)).json()
    seen.push(...data)
    if (!meta.has_more) return seen
    cursor = `&cursor=${meta.next_cursor}`
  }
  throw new Error('the walk has no end')
}

type Field = 'daily_budget' | 'end_at'

/** Rows without a value come last in both directions; ties go by id. */
const orderOf = (field: Field, sign: string) => (one: ShownCampaign, other: ShownCampaign) => {
  const [first, second] = [one[field], other[field]]
  const direction = sign === '-' ? -1 : 1
  if (first === second) return direction * (one.id < other.id ? -1 : 1)
  if (first === null || second === null) return first === null ? 1 : -1
  return direction * (first < second ? -1 : 1)
}

describe.each<Field>(['daily_budget', 'end_at'])('in the order of %s', (field) => {
  test('walks of any page size show every campaign once, those without a value last', async () => {
    const direction = fc.constantFrom('', '-')
    const limit = fc.integer({ min: 1, max: 20 })
    const property = fc.asyncProperty(direction, limit, async (sign, limit) => {
      const seen = await walk(`sort=${sign}${field}&limit=${limit}`)
      expect(new Set(seen.map(({ id }) => id)).size).toBe(18)
      expect(seen).toEqual(seen.toSorted(orderOf(field, sign)))
    })
    await fc.assert(property, { numRuns: 12, seed: 4711, endOnFailure: true })
  })
})

test.each(['campaigns', 'pacing', 'results'])(
  '%s of an unknown currency are a 400',
  async (path) => {
    const reply = await organization.owner.get(`/${path}?currency=usd`)
    expect(reply.json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'currency', code: 'unsupported_currency', given: 'usd' }],
    })
    expect((await organization.owner.get(`/${path}?currency=USD,EUR`)).statusCode).toBe(200)
  },
)
