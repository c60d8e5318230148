import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { run } from '../../scripts/run.ts'
import { beginRequests } from './requests.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the tests' browser; empty if there is none. */
    browserAt: string
    /** The path of Firefox; empty if it is not installed. */
    firefoxAt: string
  }
}

const executablePath = '/usr/bin/chromium'
const firefoxPath = '/usr/bin/firefox-esr'

/** In the place of the driver's own list, which it repeats but for other browsers' entries. */
const withoutFeatures = [
  // Panels below the address bar: two more pages with each window, seen by no one.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${withoutFeatures.join()}`,
]

/** One Chromium for the whole run, and the console as it is now. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  beginRequests()
  const [hasChromium, hasFirefox] = [executablePath, firefoxPath].map(existsSync)
  project.provide('firefoxAt', hasFirefox ? firefoxPath : '')
  const [server] = await Promise.all([
    hasChromium ? chromium.launchServer({ executablePath, args }) : undefined,
    hasChromium || hasFirefox ? buildConsole() : undefined,
  ])
  project.provide('browserAt', server?.wsEndpoint() ?? '')
  return async () => server?.close()
}

async function buildConsole(): Promise<void> {
  const built = await run(process.execPath, ['scripts/build-console.ts'])
  if (!built.ok) throw new Error(`The console cannot be built:\n${built.output}`)
}
