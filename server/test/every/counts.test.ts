import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCaps } from '../../src/features/index.ts'
import { campaignBody, profileOf } from '../support/cases/writes.ts'
import { openWorld, type TestOrganization, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({
    env: { FLIGHTDECK_CAPS: 'campaigns=4,profiles=4,proxies=3,templates=3,webhook_endpoints=3' },
  })
})
afterAll(() => world.close())

const realCounts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(allCaps().map(({ name }) => [name, `from ${name} where true`])),
  campaigns: `from campaigns where status <> 'archived'`,
  members: 'from users where true',
  api_keys: 'from api_keys where revoked_at is null',
}

const realCountsSql = `select ${Object.entries(realCounts)
  .map(([name, rows]) => `(select count(*) ${rows} and organization_id = $1) as ${name}`)
  .join(', ')}`

type Counts = Record<string, number>

async function countsOf({ id, owner }: TestOrganization): Promise<{ real: Counts; used: Counts }> {
  const { reader } = world.services.database
  const [real = {}] = await reader.query<Counts>({ sql: realCountsSql, parameters: [id] })
  const { storage: _, ...caps } = (await owner.get('/limits')).json().caps
  const used = Object.entries(caps as Record<string, { used: number }>)
  return { real, used: Object.fromEntries(used.map(([name, cap]) => [name, cap.used])) }
}

type Step = { verb: string; pick: number }
const creations: Readonly<Record<string, object>> = {
  profiles: { name: 'P' },
  proxies: { protocol: 'http', host: 'proxy.example.com', port: 8080 },
  webhook_endpoints: { url: 'https://example.com/' },
}
const actions = ['launch', 'pause', 'complete', 'archive', 'unarchive', 'duplicate'] as const
const verbs = [
  'campaigns',
  'campaigns',
  'templates',
  'save_as_template',
  'remove',
  'remove',
  ...Object.keys(creations),
  ...actions,
  ...actions,
]
const steps = fc.record({ verb: fc.constantFrom(...verbs), pick: fc.nat(1000) })

/** Everything made so far, deleted or not: the walk includes requests for deleted objects. */
type Walk = { organization: TestOrganization; profile: string; paths: string[] }

async function take({ organization, profile, paths }: Walk, { verb, pick }: Step) {
  const { owner } = organization
  const campaigns = paths.filter((path) => path.startsWith('/campaigns/'))
  const path = paths[pick % Math.max(1, paths.length)]
  if (verb === 'remove') {
    await owner.delete(path ?? '/campaigns/none')
    return
  }
  const campaign = campaigns[pick % Math.max(1, campaigns.length)]
  const reply = await owner.call({
    method: 'POST',
    ...requestOf(verb, { pick, profile, campaign }),
  })
  if (reply.statusCode === 201) paths.push(String(reply.headers.location).replace('/api/v1', ''))
}

type About = { pick: number; profile: string; campaign: string | undefined }

function requestOf(verb: string, { pick, profile, campaign }: About) {
  if (verb === 'campaigns') return { url: '/campaigns', payload: campaignBody(profile) }
  if (verb === 'templates') return { url: '/templates', payload: { name: `T${pick % 5}` } }
  const creation = creations[verb]
  if (creation) return { url: `/${verb}`, payload: creation }
  const payload = verb === 'save_as_template' ? { name: `T${pick % 5}` } : {}
  return { url: `${campaign ?? '/campaigns/none'}/${verb}`, payload }
}

test('counts match the rows after any mix of writes, refusals and repetitions', async () => {
  const property = fc.asyncProperty(
    fc.array(steps, { minLength: 40, maxLength: 60 }),
    async (all) => {
      const organization = await world.organization()
      const walk: Walk = { organization, profile: await profileOf(organization), paths: [] }
      for (const step of all) await take(walk, step)
      const { real, used } = await countsOf(organization)
      expect(used).toEqual(real)
      expect((await organization.owner.get('/audit_logs/verify')).json().valid).toBe(true)
    },
  )
  await fc.assert(property, { numRuns: 12, seed: 4711, endOnFailure: true })
})

test('counts match the rows when half of the writes run concurrently', async () => {
  const organization = await world.organization()
  const walk: Walk = { organization, profile: await profileOf(organization), paths: [] }
  for (const batch of fc.sample(fc.array(steps, { minLength: 12, maxLength: 12 }), {
    numRuns: 10,
    seed: 7,
  }))
    await Promise.all(batch.map((step) => take(walk, step)))
  const { real, used } = await countsOf(organization)
  expect(used).toEqual(real)
  expect(real.campaigns).toBeLessThanOrEqual(4)
})
