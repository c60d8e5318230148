import type { Page } from 'playwright-core'
import { quantile } from '../../tools/paced.ts'
import { inNewBrowser, launchBrowser, type Visit } from './browser.ts'

const goalMs = 1_000
const rounds = 5

/** Screens that are opened anew, with their files cached. */
const screens = {
  'the first rows': '/campaigns',
  'a filter': '/campaigns?status=paused',
  'an order': '/campaigns?sort=-daily_budget',
  Pacing: '/pacing',
  Results: '/results',
  Deck: '/',
}

type Reading = { what: string; ms: number }

/** How long people with very many campaigns wait for each screen; the lines, and whether all meet the goal. */
export async function readLargeConsole(
  origin: string,
  token: string,
): Promise<{ lines: string[]; isGood: boolean }> {
  const browser = await launchBrowser()
  try {
    const readings = await readAll({ browser, origin, token })
    return {
      lines: readings.map(({ what, ms }) => `| the console: ${what} | ${Math.round(ms)} ms |`),
      isGood: readings.every(({ ms }) => ms <= goalMs),
    }
  } finally {
    await browser.close()
  }
}

const readAll = (visit: Visit): Promise<Reading[]> =>
  inNewBrowser(visit, async (context) => {
    const page = await context.newPage()
    const open = async (path: string) => {
      await page.goto('about:blank')
      const begun = performance.now()
      await page.goto(`${visit.origin}/console${path}`, { waitUntil: 'commit' })
      await untilShown(page)
      return performance.now() - begun
    }
    const readings: Reading[] = []
    for (const [what, path] of Object.entries(screens)) {
      await open(path)
      readings.push({ what, ms: await p50(() => open(path)) })
    }
    await open('/campaigns')
    return [...readings, { what: 'a search', ms: await p50(() => search(page)) }]
  })

async function p50(read: () => Promise<number>): Promise<number> {
  const times: number[] = []
  while (times.length < rounds) times.push(await read())
  return quantile(times, 0.5)
}

/** Nothing on the screen still loads, and there is something on it. */
const isShown = `
  document.querySelector('main h1, main [role=grid], main table') !== null &&
  document.querySelector('main [role=status][aria-label=Loading], main [aria-busy=true]') === null`

async function untilShown(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (${isShown} ? resolve() : requestAnimationFrame(look))
    look()
  })`)
  const title = await page.locator('main h1').textContent()
  if (title === 'This screen failed') throw new Error(`${page.url()} failed`)
}

const firstRow = (page: Page) => page.locator('[data-row] a').first().textContent()

/** From the last key to the rows that are found: of another season than those before. */
async function search(page: Page): Promise<number> {
  const box = page.getByLabel('Search campaigns')
  const isSpring = (await firstRow(page))?.toLowerCase().includes('spring')
  const word = isSpring ? 'autumn' : 'spring'
  await box.fill(word.slice(0, -1))
  const begun = performance.now()
  await box.press('End')
  await page.keyboard.press(word.slice(-1))
  await page
    .locator('[data-row] a')
    .first()
    .filter({ hasText: new RegExp(word, 'i') })
    .waitFor()
  return performance.now() - begun
}
