/**
 * `npm run bench -- console`: how long people wait for the grid of 10,000 campaigns, in a real
 * browser on the real service.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { succeed } from '../../scripts/release/npm-pack.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { quantile } from '../tools/paced.ts'
import { startService } from '../tools/processes.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { factLines } from '../tools/table.ts'
import { inNewBrowser, launchBrowser, type Visit } from './parts/browser.ts'

const port = 18_090
const origin = `http://127.0.0.1:${port}`
const isQuick = process.argv.includes('--quick')
const count = isQuick ? 1_000 : 10_000
const rounds = isQuick ? 2 : 15
const inputs = isQuick ? 20 : 300

export async function benchConsole(): Promise<void> {
  await succeed(process.execPath, ['scripts/build-console.ts'])
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const service = await startService(dataDir, port)
  const browser = await launchBrowser()
  try {
    const tenant = await tenantIn(dataDir)
    const bench = { browser, origin, tenant, token: tenant.token }
    const facts = [
      ...(await opening(bench)),
      ...(await scrolling(bench)),
      ...(await filtering(bench)),
      ...(await changing(bench)),
    ]
    const version = `Chromium ${browser.version()}`
    console.log(`${cpus().length} cores, Node ${process.versions.node}, ${version}\n`)
    console.log(factLines(facts).join('\n'))
  } finally {
    await browser.close()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Bench = Visit & { tenant: Tenant }
type Fact = readonly [string, string]

async function tenantIn(dataDir: string): Promise<Tenant> {
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const services = await openServices(readConfig(env), address)
  const size = { organizations: 0, campaignsEach: 0, campaignsOfLargest: count }
  const [tenant] = await seed(services, address, size)
  await services.database.close()
  if (!tenant) throw new Error('there are no tenants')
  return tenant
}

/** Above its goal, the bench fails; not where it only checks that everything runs. */
function fact(what: string, ms: number, goal: number): Fact {
  if (ms > goal && !isQuick) process.exitCode = 1
  return [what, `${Math.round(ms)} ms of at most ${goal.toLocaleString('en')} ms`]
}

/** A new window is still busy with the browser's own pages for a while. */
async function openWindow(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await sleep(1_500)
  return page
}

/** Opens the grid in the window; answers when it could be used. */
async function openGrid(page: Page, query = ''): Promise<number> {
  await page.goto('about:blank')
  await sleep(300)
  await page.goto(`${origin}/console/campaigns${query}`)
  return page.evaluate<number>('meter.interactive')
}

async function opening(bench: Bench): Promise<Fact[]> {
  const [cold, warm]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    await inNewBrowser(bench, async (context) => {
      const page = await openWindow(context)
      const first = await openGrid(page)
      const again = await openGrid(page)
      // The service has just started in the first round.
      if (round === 0) return
      cold.push(first)
      warm.push(again)
    })
  }
  return [
    fact('grid can be used, nothing cached, p50', quantile(cold, 0.5), 1_000),
    fact('grid can be used, files cached, p50', quantile(warm, 0.5), 400),
  ]
}

const scrolling = (bench: Bench): Promise<Fact[]> =>
  inNewBrowser(bench, async (context) => {
    const facts: Fact[] = []
    const page = await openWindow(context)
    for (const [what, query] of [
      ['', ''],
      [' with the columns of pacing', '?preset=budget'],
    ] as const) {
      await openGrid(page, query)
      await page.getByRole('grid').getByRole('link').first().focus()
      const byKey = await latenciesOf(page, () => page.keyboard.press('PageDown'))
      await page.getByRole('grid').hover()
      await page.keyboard.press('Control+Home')
      const byWheel = await latenciesOf(page, () => page.mouse.wheel(0, 1_500))
      await watch(page, `meter.hasRow(${count})`)
      await page.keyboard.press('Control+End')
      const jumped = await watched(page)
      facts.push(
        fact(`PageDown to next paint${what}, p95`, quantile(byKey, 0.95), 100),
        fact(`wheel to next paint${what}, p95`, quantile(byWheel, 0.95), 100),
        [`End to the last rows read${what}`, `${Math.round(jumped.sinceInput)} ms`],
      )
    }
    return facts
  })

/** One input after the other: none waits for those before it. */
async function latenciesOf(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate('meter.begin()')
  for (let each = 1; each <= inputs; each += 1) {
    await act()
    await page.evaluate(`meter.inputs(${each})`)
  }
  return page.evaluate<number[]>('meter.latencies')
}

const watch = (page: Page, isThere: string) => page.evaluate(`meter.watch(() => ${isThere})`)

const watched = (page: Page) => page.evaluate<{ at: number; sinceInput: number }>('meter.watched')

/** Typed one after the other, each with another number of rows. */
const texts = ['gn 77', 'paign 4', 'gn 9', '33', 'ign 500', 'n 12']

const matching = (text: string): number =>
  Array.from({ length: count }, (_, at) => `campaign ${at + 1}`).filter((name) =>
    name.includes(text),
  ).length

const filtering = (bench: Bench): Promise<Fact[]> =>
  inNewBrowser(bench, async (context) => {
    const page = await openWindow(context)
    await openGrid(page)
    const box = page.getByLabel('Search campaigns')
    const typed: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      for (const text of texts) {
        await watch(page, `meter.rowCount() === ${matching(text.slice(0, -1))}`)
        await box.fill(text.slice(0, -1))
        await watched(page)
        await box.press('End')
        await watch(page, `meter.rowCount() === ${matching(text)}`)
        await page.keyboard.press(text.slice(-1))
        typed.push((await watched(page)).sinceInput)
      }
    }
    return [fact('filter typed to its rows shown, p50', quantile(typed, 0.5), 150)]
  })

const changing = (bench: Bench): Promise<Fact[]> =>
  inNewBrowser(bench, async (context) => {
    const page = await openWindow(context)
    await openGrid(page)
    const [elsewhere, bulk]: [number[], number[]] = [[], []]
    for (let round = 1; round <= rounds; round += 1)
      elsewhere.push(await changeElsewhere(page, bench.tenant, round))
    for (let round = 1; round <= rounds; round += 1) {
      bulk.push(await changeHundred(page, round))
    }
    return [
      fact('changed elsewhere to shown, p50', quantile(elsewhere, 0.5), 200),
      fact('100 budgets from confirmed to shown, p50', quantile(bulk, 0.5), 500),
    ]
  })

const newest = `Campaign ${count}`

/** From the answer that the change got. */
async function changeElsewhere(page: Page, tenant: Tenant, round: number): Promise<number> {
  const before = JSON.stringify(await budgetShown(page, newest))
  await watch(page, `meter.budgetOf('${newest}') !== ${before}`)
  const reply = await fetch(`${origin}/api/v1/campaigns/${tenant.campaignIds.at(-1)}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${tenant.token}`,
      'content-type': 'application/merge-patch+json',
    },
    body: JSON.stringify({ daily_budget: 500 + round }),
  })
  const answeredAt = performance.timeOrigin + performance.now()
  if (!reply.ok) throw new Error(await reply.text())
  return (await watched(page)).at - answeredAt
}

const budgetShown = (page: Page, name: string) => page.evaluate<string>(`meter.budgetOf('${name}')`)

/** Each time those with the highest budgets that are still as they were made, of 1000 + n cents. */
async function changeHundred(page: Page, round: number): Promise<number> {
  const first = count - 1 - 100 * (round - 1)
  const [least, most] = [first - 99, first].map((n) => ((1_000 + n) / 100).toFixed(2))
  const bounds = `currency=USD&daily_budget_min=${least}&daily_budget_max=${most}`
  await page.goto(`${origin}/console/campaigns?${bounds}`)
  await page.getByText('100 campaigns', { exact: true }).waitFor()
  await page.getByLabel('Select all rows that are loaded').click()
  await page.getByRole('button', { name: 'Budget…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Per cent').fill('1')
  await dialog.getByRole('button', { name: 'Try it out' }).click()
  const confirm = dialog.getByRole('button', { name: 'Change 100 campaigns' })
  await confirm.waitFor()
  const name = `Campaign ${first}`
  const before = JSON.stringify(await budgetShown(page, name))
  const isDone = `document.querySelector('dialog[open]')?.textContent.includes('100 changed.')`
  await watch(page, `meter.budgetOf('${name}') !== ${before} && ${isDone}`)
  await confirm.click()
  const { sinceInput } = await watched(page)
  return sinceInput
}
