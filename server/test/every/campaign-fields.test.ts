import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Campaign, campaignFields } from '../../src/features/campaigns/schema.ts'
import { keysOf } from '../../src/values/objects.ts'
import { operationsOf, proposed } from '../support/cases/change-sets.ts'
import { made, profileOf } from '../support/cases/writes.ts'
import { type Client, openWorld, unlimited, type World } from '../support/world.ts'

/** Finds a field of campaigns that was forgotten in one of the places that know them all. */

type Field = keyof typeof campaignFields

/** Without what is judged only where it is asked for. */
const shown = keysOf(Campaign.properties).filter((field) => field !== 'performance')
const written = keysOf(campaignFields)
const without = (...exceptions: Field[]) => written.filter((field) => !exceptions.includes(field))

/** All but the template, which a campaign keeps. */
const changeable = without('template_id')
/** All but the external id, which is unique, and the template: templates do not nest. */
const presettable = without('external_id', 'template_id')
/** All that is not of one campaign only, and no times, which pass. */
const saved = without('external_id', 'template_id', 'name', 'start_at', 'end_at')
/** All but the external id, which is unique, and the template: a copy stands alone. */
const copied = without('external_id', 'template_id')

type Json = Record<string, unknown>

let world: World
let owner: Client
/** Two values of each field; without those of a new one, it does not compile. */
let values: Record<Field, readonly [first: unknown, second: unknown]>

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  const organization = await world.organization()
  owner = organization.owner
  const [profile, other] = [
    await profileOf(organization, { currency: null }),
    await profileOf(organization, { currency: null }),
  ]
  const template = await made(owner, '/templates', { name: 'Empty', defaults: {} })
  values = {
    name: ['First', 'Second'],
    objective: ['sales', 'leads'],
    profile_id: [profile, other],
    daily_budget: [20, 30],
    lifetime_budget: [900, 1_000],
    currency: ['USD', 'EUR'],
    start_at: ['2030-01-01T00:00:00.000Z', '2030-02-01T00:00:00.000Z'],
    end_at: ['2030-03-01T00:00:00.000Z', '2030-04-01T00:00:00.000Z'],
    time_zone: ['Europe/Berlin', 'Asia/Tokyo'],
    schedule: [
      [{ day: 'mon', start: '09:00', end: '17:00' }],
      [{ day: 'tue', start: '10:00', end: '18:00' }],
    ],
    external_id: ['crm-1', 'crm-2'],
    labels: [['spring'], ['summer']],
    metadata: [{ crm: '1' }, { crm: '2' }],
    notes: ['Here', 'There'],
    target: [
      { metric: 'cpa', value: 20, window_days: 7 },
      { metric: 'roas', value: 4.5, window_days: 14 },
    ],
    template_id: [template, template],
  }
})
afterAll(() => world.close())

const pick = (fields: readonly Field[], which: 0 | 1 = 0): Json =>
  Object.fromEntries(fields.map((field) => [field, values[field][which]]))

let count = 0

/** A campaign with the first value of each field, but for its external id. */
async function created(): Promise<Json & { id: string }> {
  count += 1
  const reply = await owner.post('/campaigns', { ...pick(written), external_id: `made-${count}` })
  expect([reply.statusCode, reply.body]).toEqual([201, reply.body])
  return reply.json()
}

const cellOf = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `"${text.replaceAll('"', '""')}"`
}

const fromCsv = async (fields: Json) => {
  const csv = `${Object.keys(fields)}\n${Object.values(fields).map(cellOf)}\n`
  const reply = await owner.call({
    method: 'POST',
    url: '/change_sets/from_csv',
    headers: { 'content-type': 'text/csv' },
    payload: csv,
  })
  expect([reply.statusCode, reply.body]).toEqual([201, reply.body])
  return reply.json()
}

describe('every field of a campaign', () => {
  test('is stored and shown as it was sent, with all that a campaign has', async () => {
    const campaign = await created()
    expect(campaign).toMatchObject(pick(without('external_id')))
    expect(Object.keys(campaign).sort()).toEqual([...shown].sort())
  })

  test('is in lists and in the export as in the campaign', async () => {
    const { id } = await created()
    const campaign = (await owner.get(`/campaigns/${id}`)).json()
    const { data } = (await owner.get(`/campaigns?external_id=${campaign.external_id}`)).json()
    // Shown on request.
    const { status_change, ...usual } = campaign
    expect(data).toEqual([usual])
    const exported = await owner.get(`/campaigns/export?external_id=${campaign.external_id}`)
    expect(JSON.parse(exported.body)).toEqual(campaign)
    for (const field of shown) {
      const [one] = (await owner.get(`/campaigns?limit=1&fields=${field}`)).json().data
      expect(one).toEqual({ id, [field]: campaign[field] })
    }
  })

  test('is a column of the export, unless it says what others say', async () => {
    const header = (await owner.get('/campaigns/export?format=csv')).body.split('\r\n', 1)
    const columns = String(header).split(',')
    const missing = shown.filter(
      (field) => !columns.some((column) => column === field || column.startsWith(`${field}_`)),
    )
    const expected = [
      // Beside the same in major units with a currency.
      ...['daily_budget_minor', 'lifetime_budget_minor', 'currency_exponent'],
      // Objects: the review, the approval, and what the caller may do.
      ...['review', 'approved', 'available_actions'],
    ]
    expect(missing.sort()).toEqual(expected.sort())
  })
})

describe('every field that is written', () => {
  test('changes, is in the history, and is set back', async () => {
    for (const field of changeable) {
      const { id, [field]: first } = await created()
      const [, second] = values[field]
      world.clock.advance(60_000)
      const changed = await owner.patch(`/campaigns/${id}`, { [field]: second })
      expect([field, changed.json()[field], changed.json().version]).toEqual([field, second, 2])
      const [entry] = (await owner.get(`/campaigns/${id}/history`)).json().data
      expect(entry.changes).toContainEqual({ field, before: first, after: second })
      const before = (await owner.get(`/campaigns/${id}?as_of=${changed.json().created_at}`)).json()
      expect([field, before[field]]).toEqual([field, first])
      const reverted = await owner.post(`/campaigns/${id}/revert`, { to_version: 1 })
      expect([field, reverted.json()[field]]).toEqual([field, first])
      await owner.delete(`/campaigns/${id}`)
    }
  })

  test('is a column of a spreadsheet that changes it', async () => {
    for (const field of changeable) {
      const { id, [field]: before } = await created()
      const [, after] = values[field]
      const changeSet = await fromCsv({ id, [field]: after })
      const [operation] = await operationsOf(owner, changeSet.id)
      expect(operation?.changes).toContainEqual({ field, before, after })
      await owner.delete(`/campaigns/${id}`)
    }
  })

  test('is a column of a spreadsheet that creates campaigns', async () => {
    const changeSet = await fromCsv(pick(written, 1))
    const [operation] = await operationsOf(owner, changeSet.id)
    expect(Object.fromEntries(fieldsIn(operation?.changes))).toMatchObject(pick(written, 1))
  })

  test('is changed by an operation of a change set', async () => {
    const { id } = await created()
    const body = pick(changeable, 1)
    const { operations } = await proposed(owner, [{ op: 'update', id, body }])
    expect(Object.fromEntries(fieldsIn(operations[0]?.changes))).toMatchObject(body)
  })

  test('is copied, unless it is of one campaign', async () => {
    const { id } = await created()
    const copy = (await owner.post(`/campaigns/${id}/duplicate`)).json()
    const { name: _, ...same } = pick(copied)
    expect(copy).toMatchObject(same)
    const other = (await owner.post(`/campaigns/${id}/duplicate`, pick(copied, 1))).json()
    expect(other).toMatchObject(pick(copied, 1))
  })

  test('is preset by a template, unless it is of one campaign', async () => {
    const defaults = pick(presettable)
    const template = (await owner.post('/templates', { name: 'Whole', defaults })).json()
    expect(template.defaults).toEqual(defaults)
    const locked_fields = presettable
    const locked = await owner.patch(`/templates/${template.id}`, { locked_fields })
    expect(locked.json().locked_fields).toEqual(locked_fields)
    const made = await owner.post('/campaigns', { template_id: template.id })
    expect(made.json()).toMatchObject(defaults)
  })

  test('is saved as a template, unless it is of one campaign or time', async () => {
    const { id } = await created()
    const reply = await owner.post(`/campaigns/${id}/save_as_template`, { name: 'Saved' })
    expect(reply.json().defaults).toEqual(pick(saved))
  })
})

const fieldsIn = (changes: readonly { field: string; after: unknown }[] = []) =>
  changes.map(({ field, after }): [string, unknown] => [field, after])
