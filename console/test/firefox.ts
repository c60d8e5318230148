import { type Browser, launch, type Page } from 'puppeteer-core'

/** Keeps all of it on this machine: any other address is asked of a proxy at a port that is closed. */
const loopbackOnly = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': '127.0.0.1',
  'network.proxy.failover_direct': false,
  'network.proxy.allow_bypass': false,
  'network.trr.mode': 5,
  'network.dns.disablePrefetch': true,
  'network.dns.disabled': true,
  'network.prefetch-next': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.region.network.url': '',
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.search.geoSpecificDefaults': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.push.connection.enabled': false,
  'extensions.blocklist.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'media.gmp-manager.url': '',
  'messaging-system.rsexperimentloader.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': '',
}

/** Debian's own, with a profile of its own that goes with it; driven by WebDriver BiDi. */
export const startFirefox = (executablePath: string): Promise<Browser> =>
  launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: { ...loopbackOnly, 'intl.accept_languages': 'en-US' },
    env: { ...process.env, TZ: 'UTC' },
    defaultViewport: { width: 1280, height: 800 },
  })

/**
 * Reports what no test lets pass, as in Chromium. That writes refused answers and violations to its
 * console; here they are taken from the network and from the page.
 */
export async function complain(
  page: Page,
  origin: string,
  report: (text: string) => unknown,
): Promise<void> {
  page.on('console', (line) => line.type() === 'error' && report(`console: ${line.text()}`))
  page.on('pageerror', (error) => report(`error: ${error}`))
  page.on('response', (response) => {
    if (response.status() >= 400) report(`answer: ${response.status()} ${response.url()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) report(`request elsewhere: ${url}`)
  })
  await page.evaluateOnNewDocument(`
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('violation of ' + violatedDirective + ': ' + blockedURI))`)
}
