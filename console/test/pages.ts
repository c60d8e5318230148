import type { Browser, Page } from 'playwright-core'

export type PageOptions = {
  theme?: 'light' | 'dark'
  width?: number
  /** A telephone: fingers instead of a mouse. */
  touch?: boolean
}

export type Pages = {
  /** As new: without a session, and with nothing stored. */
  take(options: PageOptions): Promise<Page>
  /** Whether a test uses the page: complaints while it is emptied are no fault of the test. */
  isTaken(page: Page): boolean
  /** Once a test is over, its pages are emptied for the next one. */
  giveBack(): Promise<void>
}

type PagesOptions = {
  browser: Browser
  origin: string
  /** Called once with each page that is opened. */
  onOpened: (page: Page) => void
}

const height = 800

/**
 * The pages of one file's tests. To open a window and read the console for the first time costs the
 * machine three times what the screen itself does, so windows are used again, each by one test at a
 * time.
 */
export function pagesOf({ browser, origin, onOpened }: PagesOptions): Pages {
  const free: Page[] = []
  const taken: Page[] = []
  const touched = new WeakSet<Page>()

  async function open(hasTouch: boolean): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', hasTouch })
    const page = await context.newPage()
    if (hasTouch) touched.add(page)
    page.setDefaultTimeout(30_000)
    onOpened(page)
    return page
  }

  async function keepOrClose(page: Page): Promise<void> {
    const isKept = !touched.has(page) && (await emptied(page, origin).catch(() => false))
    if (isKept) free.push(page)
    else await page.context().close()
  }

  return {
    async take({ theme = 'light', width = 1280, touch = false }) {
      const page = (touch ? undefined : free.pop()) ?? (await open(touch))
      taken.push(page)
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ media: null, colorScheme: theme, reducedMotion: 'no-preference' })
      return page
    },
    isTaken: (page) => taken.includes(page),
    giveBack: async () => {
      // With the answer, all that it has said until now has come.
      await Promise.allSettled(taken.map((page) => page.title()))
      await Promise.all(taken.splice(0).map(keepOrClose))
    },
  }
}

/** False where something of the test would stay: a clock that was set is never the real one again. */
async function emptied(page: Page, origin: string): Promise<boolean> {
  await page.unrouteAll()
  await page.context().clearCookies()
  // Not above anything.
  await page.mouse.move(-1, -1)
  await page.goto(`${origin}/livez`)
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  return page.evaluate<boolean>('Function.prototype.toString.call(Date).includes("[native code]")')
}
