/**
 * `npm run bench -- lighthouse`: what Lighthouse makes of the console, on a service of its own.
 * Lighthouse is fetched by npm when this runs: installed beside everything else, it would weigh more
 * than the rest of the project.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { succeed } from '../../scripts/release/npm-pack.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { startService } from '../tools/processes.ts'
import { seed } from '../tools/seed.ts'
import { factLines } from '../tools/table.ts'

const version = '13.5.0'
const port = 18_089
const origin = `http://127.0.0.1:${port}`

/** Scores of 100 that the console must reach. */
const goals = { performance: 95, accessibility: 100, 'best-practices': 100 }
type Category = keyof typeof goals

const screens = [
  { name: 'login', path: '/console', isLoggedIn: false },
  { name: 'deck', path: '/console/', isLoggedIn: true },
  { name: 'campaigns', path: '/console/campaigns', isLoggedIn: true },
]

const isQuick = process.argv.includes('--quick')

export async function benchLighthouse(): Promise<void> {
  await succeed(process.execPath, ['scripts/build-console.ts'])
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  try {
    const service = await startService(dataDir, port)
    const token = await tokenOf(dataDir)
    for (const { name, path, isLoggedIn } of isQuick ? screens.slice(0, 1) : screens) {
      report(name, await measure(`${origin}${path}`, isLoggedIn ? token : null))
    }
    await service.stop()
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A token of an organization with a thousand campaigns. */
async function tokenOf(dataDir: string): Promise<string> {
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service’s database is not running')
  const config = readConfig({ FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) })
  const services = await openServices(config, address)
  const size = { organizations: 1, campaignsEach: 1_000, campaignsOfLargest: 1_000 }
  const [tenant] = await seed(services, address, size)
  await services.database.close()
  return tenant?.token ?? ''
}

type Report = {
  categories: Record<Category, { score: number | null }>
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>
}

async function measure(url: string, token: string | null): Promise<Report> {
  const out = join(await mkdtemp(join(tmpdir(), 'flightdeck-lighthouse-')), 'report.json')
  const headers = JSON.stringify(token ? { cookie: `flightdeck=${token}` } : {})
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic']
  const args = [
    ...['exec', '--yes', '--', `lighthouse@${version}`, url],
    ...['--quiet', '--preset=desktop', '--output=json', `--output-path=${out}`],
    `--only-categories=${Object.keys(goals).join(',')}`,
    `--extra-headers=${headers}`,
    `--chrome-flags=${flags.join(' ')}`,
  ]
  process.env.CHROME_PATH ??= '/usr/bin/chromium'
  await succeed('npm', args)
  const report = JSON.parse(await readFile(out, 'utf8'))
  await rm(dirname(out), { recursive: true })
  return report
}

const shown = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'interactive',
  'total-blocking-time',
  'cumulative-layout-shift',
]

function report(name: string, { categories, audits }: Report): void {
  const scores = Object.entries(goals).map(([category, goal]) => {
    const score = Math.round((categories[category as Category].score ?? 0) * 100)
    if (score < goal && !isQuick) process.exitCode = 1
    return [category, `${score} of at least ${goal}`] as const
  })
  const times = shown.flatMap((id) => {
    const { title, displayValue } = audits[id] ?? {}
    return title && displayValue ? [[title, displayValue] as const] : []
  })
  const lost = Object.values(audits).flatMap(({ title, score, displayValue = '' }) =>
    score !== null && score < 0.9 ? [[title, displayValue || `${score}`] as const] : [],
  )
  console.log(`${name}\n${factLines([...scores, ...times, ...lost]).join('\n')}\n`)
}
