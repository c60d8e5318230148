/**
 * `npm run bench -- code`: the command line as people install it, beside `node -e 0`, and campaigns as
 * code with 1,000 campaigns: plans and applications as whole processes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFlightdeck } from '@flightdeckhq/sdk'
import { buildCli } from '../../scripts/release/pack-cli.ts'
import { startService } from '../tools/processes.ts'
import { factLines, median } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const campaigns = isQuick ? 50 : 1_000
const rounds = isQuick ? 1 : 5
const starts = isQuick ? 3 : 30
const port = 18_098
const url = `http://127.0.0.1:${port}`
const login = { email: 'bench@example.com', password: 'correct horse battery staple' }

type Facts = (readonly [string, string])[]
/** Runs a program in the folder, and measures it; `codes` are the exit codes that are right. */
type Timed = (words: readonly string[], codes?: readonly number[]) => Promise<number>

export async function benchCode(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const service = await startService(join(folder, 'data'), port, {
    env: { FLIGHTDECK_ADMIN_EMAIL: login.email, FLIGHTDECK_ADMIN_PASSWORD: login.password },
  })
  try {
    await buildCli(join(folder, 'cli'))
    const owner = createFlightdeck({ baseUrl: `${url}/api/v1`, login })
    const { key } = await owner.apiKeys.create({ name: 'Bench', role: 'admin' })
    const timed = timedIn(folder, String(key))
    const program = join(folder, 'cli/dist/flightdeck.js')
    console.log(`${cpus().length} cores, Node ${process.versions.node}\n`)
    const started = await measureStarts(timed, program)
    console.log(
      factLines([...started, ...(await measureCode(timed, { program, folder }))]).join('\n'),
    )
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function timedIn(cwd: string, token: string): Timed {
  const { PATH = '', HOME = '' } = process.env
  const settings = { FLIGHTDECK_URL: url, FLIGHTDECK_TOKEN: token, FLIGHTDECK_CONFIG_DIR: cwd }
  return async (words, codes = [0]) => {
    const begun = performance.now()
    const env = { PATH, HOME, ...settings }
    const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let faults = ''
    child.stderr?.on('data', (chunk) => {
      faults += chunk
    })
    const [code] = await once(child, 'close')
    if (!codes.includes(code)) throw new Error(`${words.join(' ')} ended with ${code}: ${faults}`)
    return performance.now() - begun
  }
}

/** In turns, so that all have the same conditions. */
async function measureStarts(timed: Timed, program: string): Promise<Facts> {
  const times: Record<'bare' | 'version' | 'request' | 'list', number[]> = {
    ...{ bare: [], version: [], request: [], list: [] },
  }
  const request = `await (await fetch('${url}/api/v1/campaigns?limit=25',
    { headers: { authorization: 'Bearer ' + process.env.FLIGHTDECK_TOKEN } })).text()`
  for (let round = 0; round < starts; round += 1) {
    times.bare.push(await timed(['-e', '0']))
    times.version.push(await timed([program, '--version']))
    times.request.push(await timed(['--input-type=module', '-e', request]))
    times.list.push(await timed([program, 'campaigns', 'list', '--limit', '25']))
  }
  const bare = median(times.bare)
  const request25 = median(times.request)
  return [
    ['`node -e 0`', ms(bare)],
    ['`flightdeck --version` beyond it', ms(median(times.version) - bare)],
    ['a request for a list by Node alone', ms(request25)],
    ['`flightdeck campaigns list` beyond it', ms(median(times.list) - request25)],
  ]
}

type Place = { program: string; folder: string }

async function measureCode(timed: Timed, { program, folder }: Place): Promise<Facts> {
  const write = (budget: number) => writeFile(join(folder, 'flightdeck.yaml'), projectOf(budget))
  const plan = (codes: readonly number[]) => timed([program, 'plan'], codes)
  const apply = () => timed([program, 'apply', '--yes', '--allow', 'many'])
  await write(20)
  const created = await apply()
  const times: Record<'same' | 'changed' | 'applied', number[]> = {
    ...{ same: [], changed: [], applied: [] },
  }
  for (let round = 1; round <= rounds; round += 1) {
    times.same.push(await plan([0]))
    await write(20 + round)
    times.changed.push(await plan([3]))
    times.applied.push(await apply())
  }
  const of = `of ${campaigns} campaigns`
  return [
    [`the first application ${of}`, ms(created)],
    [`plan ${of}, none changed`, ms(median(times.same))],
    [`plan ${of}, all changed`, ms(median(times.changed))],
    [`application ${of}, all changed`, ms(median(times.applied))],
  ]
}

const ms = (value: number) => `${value.toFixed(0)} ms`

function projectOf(budget: number): string {
  const lines = Array.from(
    { length: campaigns },
    (_, at) => `  c${at}: {profile: meta, objective: sales, daily_budget: ${budget}, state: draft}`,
  )
  return `project: bench\nprofiles: {meta: {currency: USD}}\ncampaigns:\n${lines.join('\n')}\n`
}
