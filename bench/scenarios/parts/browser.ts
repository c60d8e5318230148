import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

/** Chromium, with nothing that asks the network or draws by a graphics card. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

export type Visit = { browser: Browser; origin: string; token: string }

/** In a window of its own, logged in to the console, with `meter` in its pages. */
export async function inNewBrowser<Result>(
  { browser, origin, token }: Visit,
  work: (context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ viewport, locale: 'en-US' })
  await context.addInitScript({ path: join(import.meta.dirname, '../../tools/page-meter.js') })
  const cookie = { name: 'flightdeck', value: token, url: origin }
  await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}
