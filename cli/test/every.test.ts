import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { writes } from '../../server/test/support/cases/write-cases.ts'
import { exampleOf, isArranged, keyOf } from '../../server/test/support/clients/example-of.ts'
import {
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../server/test/support/world.ts'
import { main } from '../src/main.ts'
import { made, type Operation } from '../src/operations.ts'

/** Every command of the API in every form of output, on the real service. */

let world: World
let url: string
let directory: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
  directory = await mkdtemp(join(tmpdir(), 'flightdeck-cli-'))
  // Each command listens for the end of the pipe.
  process.stdout.setMaxListeners(0)
})
afterAll(async () => {
  await world.close()
  await rm(directory, { recursive: true })
})

const forms = (operation: Operation): readonly string[] =>
  operation.answer === 'list'
    ? [...formsOfAll, '--jq .', '--jsonl', '--csv']
    : operation.answer === 'raw'
      ? formsOfAll
      : [...formsOfAll, '--jq .']
const formsOfAll = ['', 'terminal', '--json']

const commands = Object.entries(made.commands).flatMap(([resource, verbs]) =>
  Object.entries(verbs)
    // A stream has no end; its own test reads it.
    .filter(([, { answer }]) => answer !== 'stream')
    .flatMap(([verb, operation]) =>
      forms(operation).map((form) => ({ resource, verb, form, operation })),
    ),
)

type Ended = { code: unknown; stdout: string; stderr: string }

/** Runs it in this process, as its start would take most of the time. */
async function run(words: readonly string[], isTerminal: boolean): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    }),
  )
  const { isTTY } = process.stdout
  process.stdout.isTTY = isTerminal
  try {
    await main(words)
    return { code: process.exitCode ?? 0, ...written }
  } finally {
    process.stdout.isTTY = isTTY
    process.exitCode = undefined
    for (const spy of spies) spy.mockRestore()
  }
}

async function wordsFor(operation: Operation, organization: TestOrganization) {
  const key = keyOf(operation)
  const example = exampleOf(operation)
  const id = isArranged(operation) ? ((await example?.arrange?.(organization)) ?? '') : ''
  const ids = operation.path.includes('{') ? id.split('/') : []
  const { 'if-match': tag } = writes[key]?.headers ?? {}
  const body = operation.body === undefined ? undefined : example?.body?.(id, organization)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return [
    ...ids.slice(0, operation.ids.length),
    ...(body !== undefined && operation.body !== 'reason' ? ['--data', text] : []),
    ...(tag ? ['--if-match', tag.slice(1, -1)] : []),
    ...(operation.method === 'GET' ? [] : ['--yes']),
  ]
}

describe('every command', () => {
  test.each(commands)('$resource $verb $form', async ({ resource, verb, form, operation }) => {
    const organization = await world.organization()
    vi.stubEnv('FLIGHTDECK_CONFIG_DIR', directory)
    vi.stubEnv('FLIGHTDECK_URL', url)
    vi.stubEnv('FLIGHTDECK_TOKEN', organization.owner.token ?? '')
    const words = [resource, verb, ...(await wordsFor(operation, organization))]
    const isTerminal = form === 'terminal'
    const ended = await run(
      form.startsWith('--') ? [...words, ...form.split(' ')] : words,
      isTerminal,
    )
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(quiet)])
    if (operation.answer !== 'raw') judge(form, ended.stdout)
  })
})

/** Said beside the output: nothing, or how many there are. */
const quiet = /^(\d[^\n]* --all shows them all\.\n|Nothing is found\.\n)?$/

function judge(form: string, stdout: string): void {
  if (form === '--json') {
    if (stdout !== '') expect(JSON.parse(stdout)).toBeTypeOf('object')
    return
  }
  const lines = stdout.split('\n').slice(0, -1)
  if (form === '--jsonl' || form === '--jq .')
    for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object')
  // Nothing steers the terminal.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
  else expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
}
