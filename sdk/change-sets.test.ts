import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignAfter } from '../server/test/support/cases/writes.ts'
import { openWorld, type World } from '../server/test/support/world.ts'
import { createFlightdeck, isProblem } from './src/client.ts'

let world: World
let baseUrl: string

beforeAll(async () => {
  world = await openWorld()
  baseUrl = `${await world.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`
})
afterAll(() => world.close())

test('change sets are proposed, looked at, approved by another, and applied once', async () => {
  const organization = await world.organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
  const editor = await organization.as('editor')
  const id = await campaignAfter(organization, ['launch'])
  const author = createFlightdeck({ baseUrl, token: editor.token ?? '' })
  const approver = createFlightdeck({ baseUrl, token: owner.token ?? '' })

  const proposed = await author.changeSets.propose([
    { op: 'update', id, body: { daily_budget: 50 } },
    { op: 'action', id, action: 'pause' },
  ])
  expect(proposed).toMatchObject({ title: '2 operations', status: 'open' })
  const operations: string[] = []
  for await (const { op, changes } of author.changeSets.listOperations(proposed)) {
    operations.push(`${op} ${changes.map(({ field }) => field)}`)
  }
  expect(operations).toEqual(['update daily_budget,daily_budget_minor', 'action status'])

  const refused = await author.changeSets.apply(proposed).catch((error: unknown) => error)
  expect(isProblem(refused, 'approval_required')).toBe(true)
  const approved = await approver.changeSets.approve(proposed)
  const applied = await author.changeSets.apply(approved)
  expect(applied.status).toBe('applied')
  expect(await author.changeSets.apply(approved)).toEqual(applied)
})

test('what has become stale is typed', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const id = await campaignAfter(organization)
  const flightdeck = createFlightdeck({ baseUrl, token: owner.token ?? '' })
  const csv = `id,daily_budget\n${id},50\n`
  const changeSet = await flightdeck.changeSets.proposeFromCsv(csv, { title: 'Budgets' })
  await flightdeck.campaigns.update(id, { notes: 'Moved' })
  const error = await flightdeck.changeSets.apply(changeSet).catch((reason: unknown) => reason)
  if (!isProblem(error, 'change_set_stale')) throw error
  expect(error.problem.stale.map(({ current_version }) => current_version)).toEqual([2])
})
