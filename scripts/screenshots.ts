/**
 * `npm run screenshots`: takes the pictures of the documents again, of the real console on a service
 * of its own with the demo's data.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { createFlightdeck, type Flightdeck } from '../sdk/src/client.ts'
import { smallerPng } from './png.ts'
import { succeed } from './release/npm-pack.ts'
import { root } from './run.ts'

type Picture = {
  name: string
  path: string
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** In the sandbox, whose clock was moved: what takes days has happened there. */
  inSandbox?: true
  /** Acts on the screen before the picture. */
  prepare?: (page: Page) => Promise<void>
}

const pictures: readonly Picture[] = [
  { name: 'campaigns', path: '/campaigns' },
  { name: 'deck', path: '/', theme: 'dark', height: 620 },
  { name: 'campaign', path: '/campaigns', prepare: openFirst },
  { name: 'change-set', path: '/change-sets', height: 820, prepare: openChangeSet },
  { name: 'pacing', path: '/pacing', inSandbox: true, height: 560 },
  {
    name: 'pacing-campaign',
    path: '/pacing?sort=-money_at_risk',
    inSandbox: true,
    theme: 'dark',
    height: 1080,
    prepare: openFirst,
  },
  { name: 'guardrails', path: '/guardrails?open=edit', theme: 'dark' },
  { name: 'verify', path: '/audit-log/verify', height: 460, prepare: verify },
  { name: 'phone', path: '/', width: 390, height: 700 },
]

async function openFirst(page: Page): Promise<void> {
  await page.locator('main a[href*="/campaigns/cmp_"]').first().click()
  await page.waitForURL(/cmp_/)
}

async function openChangeSet(page: Page): Promise<void> {
  await page.getByRole('link', { name: changeSetTitle }).click()
  await page.getByText('It needs an approval.').waitFor()
}

async function verify(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Verify here' }).click()
  await page.getByText(/^Intact/).waitFor()
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await page
    .getByText(/^Intact/)
    .nth(1)
    .waitFor()
}

const changeSetTitle = 'Black Friday week'

const owner = { email: 'ada@example.com', password: 'correct horse battery staple' }
const editor = { email: 'grace@example.com', password: 'a longer pass phrase' }

const launcher = join(root, 'server/bin/flightdeck.js')

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'flightdeck-pictures-'))
  const env = {
    ...process.env,
    FLIGHTDECK_DATA_DIR: directory,
    FLIGHTDECK_PORT: '0',
    FLIGHTDECK_ADMIN_EMAIL: owner.email,
    FLIGHTDECK_ADMIN_PASSWORD: owner.password,
  }
  await succeed(process.execPath, ['scripts/build-console.ts'])
  const service = spawn(process.execPath, [launcher, 'serve', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const url = await addressOf(service)
    const flightdeck = async (...args: string[]) =>
      (await promisify(execFile)(process.execPath, [launcher, ...args], { env })).stdout
    await flightdeck('demo')
    const baseUrl = `${url}/api/v1`
    const ada = createFlightdeck({ baseUrl, login: owner })
    await arrange(ada, createFlightdeck({ baseUrl, login: editor }))
    const { token } = await ada.auth.login(owner)
    const name = ['--name', 'Northwind Lab', '--plan', 'zion', '--owner-name', 'Ada Lovelace']
    const made = JSON.parse(await flightdeck('orgs', 'create', '--sandbox', ...name, '--json'))
    await flightdeck('demo', '--org', made.id)
    const login = { email: made.owner.email, password: made.password }
    const lab = createFlightdeck({ baseUrl, login })
    await letDaysPass(lab)
    await takeAll(url, { usual: token, sandbox: (await lab.auth.login(login)).token })
  } finally {
    service.kill('SIGTERM')
    await once(service, 'exit')
    await rm(directory, { recursive: true, force: true })
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the service has no output')
  for await (const line of createInterface(stdout)) return JSON.parse(line).url
  throw new Error('the service did not start')
}

/** Makes work that waits for a person, so that the deck has something to show. */
async function arrange(ada: Flightdeck, grace: Flightdeck): Promise<void> {
  const { user } = await ada.auth.me()
  if (user) await ada.members.patch(user.id, { name: 'Ada Lovelace' })
  await ada.organization.update({ name: 'Northwind' })
  await ada.members.create({ ...editor, name: 'Grace Hopper', role: 'editor' })
  await ada.organization.updateGuardrails({
    max_daily_budget: { USD: 1000, EUR: 900 },
    max_increase_percent: 50,
    approval: { mode: 'always' },
    change_sets: { approval: 'raises', raises_above: { USD: 10 } },
  })
  const drafts = await ada.campaigns.list({ status: 'draft', limit: 3 })
  for (const draft of drafts.data) await grace.campaigns.submit(draft)
  await proposeRaise(grace)
}

/** Proposes as an editor: two budgets raised, and one campaign paused in their place. */
async function proposeRaise(grace: Flightdeck): Promise<void> {
  const { data } = await grace.campaigns.list({ status: 'active', currency: 'USD', limit: 100 })
  const [first, second, third] = data.filter(({ daily_budget_minor }) => daily_budget_minor)
  if (!first || !second || !third) throw new Error('the demo has too few campaigns')
  const raised = [first, second].map(({ id, daily_budget_minor }) => ({
    op: 'update' as const,
    id,
    body: { daily_budget: Math.round((daily_budget_minor ?? 0) / 80) },
  }))
  await grace.changeSets.propose({
    title: changeSetTitle,
    description: 'Agreed with sales: what sells best gets more, the gift guide pauses.',
    source: { kind: 'console' },
    operations: [...raised, { op: 'action', id: third.id, action: 'pause' }],
  })
}

const daysPassed = 8
const dayMs = 86_400_000
/** Spent of each day's budget: most as planned, some too little or too much. */
const courses = [1, 0.71, 1.02, 0.98, 1.24, 0.99]

/** Eight days go by in the sandbox, and connectors report each. */
async function letDaysPass(lab: Flightdeck): Promise<void> {
  const start = Date.now()
  await lab.sandbox.moveClock({ advance_seconds: (daysPassed * dayMs) / 1_000 })
  const profiles = await lab.profiles.list({ limit: 100 })
  const active = await lab.campaigns.list({ status: 'active', limit: 100 })
  for (const { id, platform } of profiles.data) {
    const rows = active.data.flatMap((campaign, at) =>
      campaign.profile_id !== id
        ? []
        : Array.from({ length: daysPassed }, (_, day) => ({
            campaign_id: campaign.id,
            date: new Date(start + day * dayMs).toISOString().slice(0, 10),
            spend: `${Math.round((campaign.daily_budget ?? 0) * spentOf(at, day))}`,
          })),
    )
    if (rows.length === 0) continue
    const reported_at = new Date(start + daysPassed * dayMs).toISOString()
    const { counts } = await lab.results.report({ source: platform, reported_at, rows })
    if (counts.failed > 0) throw new Error(`${counts.failed} rows of ${platform} were refused`)
  }
}

const spentOf = (campaign: number, day: number): number =>
  (courses[campaign % courses.length] ?? 1) * (0.94 + ((campaign + day * 5) % 7) / 50)

type Tokens = { usual: string; sandbox: string }

async function takeAll(url: string, tokens: Tokens): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  })
  await mkdir(join(root, 'docs/pictures'), { recursive: true })
  for (const picture of pictures) {
    const { theme = 'light', width = 1280, height = 760 } = picture
    const viewport = { width, height }
    const context = await browser.newContext({ viewport, colorScheme: theme, locale: 'en-US' })
    const value = picture.inSandbox ? tokens.sandbox : tokens.usual
    const cookie = { name: 'flightdeck', value, url }
    await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
    await take(context, url, picture)
    await context.close()
  }
  await browser.close()
}

async function take(context: BrowserContext, url: string, { name, path, prepare }: Picture) {
  const page = await context.newPage()
  await page.goto(`${url}/console${path}`)
  await page.locator('main h1').first().waitFor()
  await page.waitForTimeout(1_500)
  await prepare?.(page)
  // The stream of events never ends: what was asked for has come by then.
  await page.waitForTimeout(1_500)
  const file = join(root, 'docs/pictures', `${name}.png`)
  await writeFile(file, smallerPng(await page.screenshot()))
  console.log(`docs/pictures/${name}.png`)
}

if (import.meta.main) await main()
