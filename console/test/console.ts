import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject, test as vitestTest } from 'vitest'
import type { Background } from '../../server/src/background/scheduler.ts'
import { deliveringIn } from '../../server/test/support/delivering.ts'
import {
  type FreshDatabase,
  migratedDatabase,
} from '../../server/test/support/machines/fresh-database.ts'
import { freePort } from '../../server/test/support/machines/ports.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  type World,
  type WorldOptions,
} from '../../server/test/support/world.ts'
import { movingClock } from './clock.ts'
import { type PageOptions, type Pages, pagesOf } from './pages.ts'
import { keepRequests } from './requests.ts'

/** Skipped by name where there is no browser. */
export const test = vitestTest.skipIf(inject('browserAt') === '')

type Opened = { page: Page; organization: TestOrganization; client: Client }
type Role = Parameters<TestOrganization['as']>[0]

type OpenOptions = PageOptions & {
  /** Below `/console`. */
  path?: string
  role?: Role
  organization?: TestOrganization
  /** Logged in as this one. */
  client?: Client
}

/** Tests of the console in a real browser, on the real service; nothing is replaced. */
export type ConsoleTests = {
  world(): World
  origin(): string
  /** A page of someone who is logged in. */
  open(options?: OpenOptions): Promise<Opened>
  /** A page without a session. */
  visit(path: string): Promise<Page>
  /** Once the page hears of what happens elsewhere. */
  untilLive(page: Page): Promise<void>
  /** Lets a fault pass that a test causes on purpose, such as a refused request. */
  expectComplaint(text: RegExp): void
}

type TestOptions = WorldOptions & {
  /** Deliveries and jobs run too, on a database of their own: else they reach other files' data. */
  background?: boolean
  /** Served at `localhost`, which is its public URL: at an IP address there are no passkeys. */
  isNamed?: boolean
}

export function consoleTests(given: TestOptions = {}): ConsoleTests {
  const { background = false, isNamed = false, ...options } = given
  let world: World
  let work: Work | undefined
  let origin = ''
  let browser: Browser
  let pages: Pages
  let complaints: string[] = []
  let expected: RegExp[] = []
  const requests = new Set<string>()
  const live = new WeakSet<Page>()

  beforeAll(async () => {
    if (inject('browserAt') === '') return
    const database = background ? await migratedDatabase() : undefined
    const at = database && { address: database.address }
    const port = isNamed ? await freePort() : 0
    const named = isNamed && { FLIGHTDECK_PUBLIC_URL: `http://localhost:${port}` }
    const env = { ...options.env, ...named }
    world = await openWorld({ clock: movingClock(), ...at, ...options, env })
    work = database && (await workIn(world, database))
    const address = await world.app.listen({ host: '127.0.0.1', port })
    origin = isNamed ? `http://localhost:${port}` : address
    browser = await chromium.connect(inject('browserAt'))
    pages = pagesOf({ browser, origin, onOpened: listen })
  })
  afterAll(async () => {
    if (requests.size > 0) keepRequests(requests)
    await browser?.close()
    await work?.background.stop()
    await world?.close()
    await work?.database.drop()
  })
  afterEach(async () => {
    await pages?.giveBack()
    const unexpected = complaints.filter((text) => !expected.some((each) => each.test(text)))
    complaints = []
    expected = []
    expect(unexpected).toEqual([])
  })

  function listen(page: Page): void {
    complain(page, origin, (text) => pages.isTaken(page) && complaints.push(text))
    page.on('request', (request) => request.isNavigationRequest() && live.delete(page))
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      const isDone = response.status() < 400 && pathname.startsWith('/api/')
      if (isDone) requests.add(`${response.request().method()} ${pathname}`)
      if (isDone && pathname.endsWith('/events/stream')) live.add(page)
    })
  }

  return {
    world: () => world,
    origin: () => origin,
    async open(given = {}) {
      const organization = given.organization ?? (await world.organization())
      const client =
        given.client ?? (given.role ? await organization.as(given.role) : organization.owner)
      const page = await pages.take(given)
      const cookie = { name: 'flightdeck', value: client.token ?? '', url: origin }
      await page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
      await page.goto(`${origin}/console${given.path ?? ''}`)
      await page.locator('main h1').first().waitFor()
      return { page, organization, client }
    },
    async visit(path) {
      const page = await pages.take({})
      await page.goto(`${origin}${path}`)
      return page
    },
    untilLive: (page) => expect.poll(() => live.has(page)).toBe(true),
    expectComplaint: (text) => void expected.push(text),
  }
}

type Work = { database: FreshDatabase; background: Background }

const workIn = async (world: World, database: FreshDatabase): Promise<Work> => ({
  database,
  background: await deliveringIn({ ...world, database }),
})

/** The links beside every screen: what is on it may have some of the same names. */
export const screens = (page: Page) => page.getByRole('navigation', { name: 'Screens' })

/**
 * Reports errors, violations of the policy, and requests to anywhere else, which no test lets pass.
 */
function complain(page: Page, origin: string, report: (text: string) => unknown): void {
  page.on('console', (line) => {
    if (line.type() === 'error') report(`console: ${line.text()} ${line.location().url}`)
  })
  page.on('pageerror', (error) => report(`error: ${error}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) report(`request elsewhere: ${url}`)
  })
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** No violation of WCAG 2.2 AA that a program can find, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  // In the page itself: there are no frames, and axe's own driver opens a window for each run.
  const engine = await page.evaluateHandle<typeof axe>(`${axe.source};axe`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await engine.evaluate(
      (axe, values) => axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] }),
      standards,
    )
    const found = violations.map(({ id, nodes }) => ({
      theme: colorScheme,
      id,
      at: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)),
    }))
    expect(found).toEqual([])
  }
}
