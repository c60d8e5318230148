/** `npm run bench -- mcp`: tools of `/mcp` beside the same reads of the API, in turns, one after another. */
import { cpus } from 'node:os'
import type { Flightdeck } from '@flightdeckhq/sdk'
import { encode } from 'gpt-tokenizer'
import { quantile } from '../tools/paced.ts'
import { asOwner } from '../tools/processes.ts'
import { factLines } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const rounds = isQuick ? 20 : 1_000
const port = 18_101
const url = `http://127.0.0.1:${port}`

type Facts = (readonly [string, string])[]

export const benchMcp = (): Promise<void> =>
  asOwner(port, async (owner) => {
    const id = await seeded(owner)
    const agent = { apply: 'approved' } as const
    const { key } = await owner.apiKeys.create({ name: 'Bench', role: 'editor', agent })
    console.log(`${cpus().length} cores, Node ${process.versions.node}\n`)
    console.log(factLines(await measured(String(key), id)).join('\n'))
  })

async function seeded(owner: Flightdeck): Promise<string> {
  const profile = await owner.profiles.create({
    name: 'Bench',
    platform: 'google_ads',
    currency: 'USD',
  })
  let id = ''
  for (let n = 0; n < 100; n += 1) {
    const campaign = await owner.campaigns.create({
      name: `Espresso grinder, search, Baltics ${n}`,
      profile_id: profile.id,
      objective: 'traffic',
      daily_budget: 33.51,
      labels: ['baltics', 'search'],
    })
    id = campaign.id
  }
  return id
}

async function measured(key: string, id: string): Promise<Facts> {
  const pairs = [
    ['find_campaigns', { limit: 25 }, '/campaigns?limit=25'],
    ['get_object', { id }, `/campaigns/${id}`],
    ['get_pacing', {}, '/pacing'],
  ] as const
  const facts: Facts = []
  for (const [tool, given, path] of pairs) {
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: tool, arguments: given },
    })
    const times = { tool: [] as number[], api: [] as number[] }
    let answer = ''
    for (let round = 0; round < rounds; round += 1) {
      const api = await timed(`/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
      const called = await timed('/mcp', { method: 'POST', headers: headersOf(key), body })
      times.api.push(api.ms)
      times.tool.push(called.ms)
      answer = called.text
    }
    facts.push([`${tool}: API · tool · more, p50`, compared(times)])
    facts.push([`${tool}: tokens of its answer`, String(encode(dataIn(answer)).length)])
  }
  return facts
}

const headersOf = (key: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

async function timed(path: string, init: RequestInit): Promise<{ ms: number; text: string }> {
  const begun = performance.now()
  const reply = await fetch(`${url}${path}`, init)
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`)
  return { ms: performance.now() - begun, text }
}

function compared({ tool, api }: { tool: number[]; api: number[] }): string {
  const [own, others] = [quantile(tool, 0.5), quantile(api, 0.5)]
  return `${others.toFixed(2)} ms · ${own.toFixed(2)} ms · ${(own - others).toFixed(2)} ms`
}

/** The data of an answer, which may come as an event. */
function dataIn(answer: string): string {
  const message = /\{.*\}/s.exec(answer)?.[0] ?? '{}'
  const { result } = JSON.parse(message)
  if (result?.isError !== undefined && result.isError) throw new Error(answer)
  return JSON.stringify(result.structuredContent)
}
