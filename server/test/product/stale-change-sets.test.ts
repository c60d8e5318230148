import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proposed } from '../support/cases/change-sets.ts'
import { campaignBody, made } from '../support/cases/writes.ts'
import { type Client, openWorld, unlimited, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const kinds = ['campaign', 'client', 'profile', 'proxy', 'template'] as const
type Kind = (typeof kinds)[number]

const listOf = (kind: Kind) => (kind === 'proxy' ? '/proxies' : `/${kind}s`)
const pathOf = (kind: Kind, id: string) => `${listOf(kind)}/${id}`

type Scene = { client: Client; objects: { kind: Kind; id: string }[]; changeSets: string[] }

async function scene(): Promise<Scene> {
  const { owner: client } = await world.organization()
  const account = await made(client, '/profiles', { name: 'Account', currency: 'USD' })
  const bodies = {
    campaign: campaignBody(account),
    client: { name: 'Northwind' },
    profile: { name: 'Unused' },
    proxy: { name: 'Exit', protocol: 'http', host: 'proxy.example.com', port: 8080 },
    template: { name: 'Preset', defaults: { objective: 'sales' } },
  }
  const objects: Scene['objects'] = []
  for (const kind of [...kinds, ...kinds]) {
    const body = { ...bodies[kind], name: `${bodies[kind].name} ${objects.length}` }
    objects.push({ kind, id: await made(client, listOf(kind), body) })
  }
  return { client, objects, changeSets: [] }
}

type Step = (scene: Scene, at: number) => Promise<unknown>

const object = fc.nat(9)

/** Objects of every kind, some of them more than once, and one that is not there. */
const proposing: fc.Arbitrary<Step> = fc
  .array(fc.nat(10), { minLength: 1, maxLength: 6 })
  .map((chosen): Step => {
    return async ({ client, objects, changeSets }, at) => {
      const operations = chosen.map((each, index) => {
        const { kind, id } = objects[each] ?? { kind: 'campaign', id: 'cmp_x' }
        return { op: 'update', resource: kind, id, body: { name: `Set ${at} ${index}` } }
      })
      changeSets.push((await proposed(client, operations, { mode: 'partial' })).changeSet.id)
    }
  })

const renaming: fc.Arbitrary<Step> = object.map(
  (chosen): Step =>
    async ({ client, objects }, at) => {
      const { kind, id } = objects[chosen] ?? { kind: 'campaign', id: '' }
      await client.patch(pathOf(kind, id), { name: `Step ${at}` })
    },
)

const deleting: fc.Arbitrary<Step> = object.map(
  (chosen): Step =>
    async ({ client, objects }) => {
      const { kind, id } = objects[chosen] ?? { kind: 'campaign', id: '' }
      await client.delete(pathOf(kind, id))
    },
)

const deciding: fc.Arbitrary<Step> = fc
  .tuple(fc.nat(4), fc.constantFrom('apply', 'cancel', 'refresh'))
  .map(
    ([chosen, action]): Step =>
      async ({ client, changeSets }) => {
        const id = changeSets[chosen]
        if (id) await client.post(`/change_sets/${id}/${action}`)
      },
  )

const step = fc.oneof(
  { weight: 3, arbitrary: proposing },
  { weight: 4, arbitrary: renaming },
  { weight: 1, arbitrary: deleting },
  { weight: 2, arbitrary: deciding },
)

type Operation = {
  index: number
  resource: Kind
  id: string | null
  version_seen: number | null
  stale: object | null
}

/** From each object as it is read alone. */
async function staleByHand(client: Client, operations: readonly Operation[]) {
  const found: object[] = []
  for (const { index, resource, id, version_seen } of operations) {
    if (id === null || version_seen === null) continue
    const reply = await client.get(pathOf(resource, id))
    const current_version = reply.statusCode === 404 ? null : reply.json().version
    if (current_version === version_seen) continue
    found.push({ index, resource, id, version_seen, current_version })
  }
  return found
}

test('the list, each change set and its operations say the same of what has moved', async () => {
  let stale = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const here = await scene()
      const { client } = here
      for (const [at, each] of steps.entries()) await each(here, at)
      const { data } = (await client.get('/change_sets?limit=100')).json()
      expect(data).toHaveLength(here.changeSets.length)
      for (const listed of data) {
        const single = (await client.get(`/change_sets/${listed.id}`)).json()
        expect(listed.stale).toEqual(single.stale)
        const operations = (await client.get(`/change_sets/${listed.id}/operations`)).json().data
        const byOperation = operations.flatMap((each: Operation) => each.stale ?? [])
        expect(byOperation).toEqual(single.stale)
        const isOpen = single.status === 'open'
        const byHand = isOpen ? await staleByHand(client, operations) : []
        expect(single.stale).toMatchObject(byHand)
        expect(single.stale).toHaveLength(byHand.length)
        stale += single.stale.length
      }
    }),
    { numRuns: 40 },
  )
  expect(stale).toBeGreaterThan(10)
}, 120_000)
