import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { commands } from '../src/commands/commands.ts'
import { readConfig, settings } from '../src/config.ts'
import { version } from '../src/version.ts'
import { openWorld, type World } from './support/world.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== '.env')
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))

// biome-ignore lint/suspicious/noExplicitAny: files of other programs, whose shape is theirs.
type Foreign = any

const documentsIn = (path: string): Foreign[] =>
  parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect([path, ...document.errors, ...document.warnings]).toEqual([path])
    return document.toJS()
  })

const kubernetes = files
  .filter((path) => path.startsWith('deploy/kubernetes/'))
  .flatMap((path) => documentsIn(path))
const [compose] = documentsIn('deploy/compose.yaml')
const [rules] = documentsIn('deploy/prometheus-rules.yaml')
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json'))
const dockerfile = read('deploy/Dockerfile').replaceAll('\\\n', '')
const workspace = JSON.parse(read('package.json'))

const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, rest]) => String(rest))
const one = (name: string): Foreign => JSON.parse(instructions(name).join())

const masterKey = Buffer.alloc(32).toString('base64')
const patched = kubernetes.find(({ metadata }) => metadata?.name === 'any')

describe('settings', () => {
  test('every FLIGHTDECK_ name in deploy/ is a setting', () => {
    const known = Object.keys(settings).map((name) => `FLIGHTDECK_${name}`)
    const named = files.flatMap((path) => read(path).match(/FLIGHTDECK_[A-Z_]+/g) ?? [])
    expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([])
  })

  test('those of compose.yaml, over a filled-in env.example, start the service', () => {
    const example = parseEnv(read('deploy/env.example'))
    const filled = { ...example, FLIGHTDECK_MASTER_KEY: masterKey, POSTGRES_PASSWORD: 'secret' }
    const value = (name: string) =>
      String(Object.entries(filled).find(([key]) => key === name)?.[1])
    const given = Object.entries<string>(compose.services.flightdeck.environment).map(
      ([name, text]) => [name, text.replace(/\$\{(\w+)[^}]*\}/g, (_, key) => value(key))],
    )
    const config = readConfig({ ...filled, ...Object.fromEntries(given) })
    expect(config).toMatchObject({
      masterKey,
      databaseUrl: 'postgresql://flightdeck:secret@postgres/flightdeck',
      publicUrl: example.FLIGHTDECK_PUBLIC_URL,
    })
  })

  test('those of the Kubernetes manifests, with a filled-in secret, start the service', () => {
    const [kustomization] = documentsIn('deploy/kubernetes/kustomization.yaml')
    const [secret] = documentsIn('deploy/kubernetes/secret.example.yaml')
    const literals = parseEnv(kustomization.configMapGenerator[0].literals.join('\n'))
    const filled = { ...literals, ...secret.stringData, FLIGHTDECK_MASTER_KEY: masterKey }
    expect(readConfig(filled)).toMatchObject({ masterKey })
  })

  test('Kubernetes adds none of its own, as it does for a Service of that name', () => {
    const services = kubernetes.filter(({ kind }) => kind === 'Service')
    expect(services.map(({ metadata }) => metadata.name)).toEqual(['flightdeck'])
    expect(patched.spec.template.spec.enableServiceLinks).toBe(false)
  })
})

describe('what is run', () => {
  test('is npm start, in the image and under systemd', () => {
    const { start } = workspace.scripts
    expect([...one('ENTRYPOINT'), ...one('CMD')].join(' ')).toBe(start)
    expect(read('deploy/flightdeck.service')).toContain(
      `\nExecStart=/opt/flightdeck/node_modules/.bin/${start}\n`,
    )
  })

  test('is on the Node.js that the tests run on', () => {
    const tags = instructions('FROM').map((image) => image.split(/[ -]/)[0])
    expect(new Set(tags)).toEqual(new Set([`node:${workspace.devDependencies.node}`]))
    expect(process.version).toBe(`v${workspace.devDependencies.node}`)
  })

  test('is a command that there is, with options that it has', () => {
    const containers = kubernetes
      .map(({ spec }) => spec?.template?.spec)
      .flatMap((pod) => [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])])
    const lines: string[][] = [
      ...Object.values<Foreign>(compose.services)
        .filter(({ image }) => image === 'flightdeck')
        .map(({ command }) => command.split(' ')),
      ...containers.flatMap(({ args }) => (args ? [args] : [])),
    ]
    const unknown = lines.filter(([name, ...rest]) => {
      const command = commands.find(({ usage }) => usage.split(' ')[0] === name)
      const options = rest.filter((word) => word.startsWith('--'))
      return !command || !options.every((option) => command.options?.[option.slice(2)])
    })
    expect(lines.length).toBeGreaterThan(4)
    expect(unknown).toEqual([])
  })

  test('has all its files in the image, of this version', () => {
    const copied = instructions('COPY').filter((rest) => !rest.startsWith('--from'))
    const sources = copied.flatMap((rest) => rest.split(' ').slice(0, -1))
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const sent = read('.dockerignore').match(/(?<=^!).+/gm) ?? []
    const isSent = (path: string) => sent.some((each) => `${path}/`.startsWith(`${each}/`))
    expect(sources.filter((path) => !isSent(path))).toEqual([])
    const [kustomization] = documentsIn('deploy/kubernetes/kustomization.yaml')
    expect(kustomization.images[0].newTag).toBe(version)
  })

  test('runs as the same user everywhere, who is not root', () => {
    const { runAsUser, runAsGroup, runAsNonRoot } = patched.spec.template.spec.securityContext
    expect(instructions('USER')).toEqual([`${runAsUser}:${runAsGroup}`])
    expect([runAsNonRoot, runAsUser]).toEqual([true, 1000])
  })
})

describe('the running service', () => {
  const token = 'scrape-me'
  let world: World

  beforeAll(async () => {
    world = await openWorld({ env: { FLIGHTDECK_METRICS_TOKEN: token } })
  })
  afterAll(() => world.close())

  test('answers every probe', async () => {
    const texts = files.filter((path) => !path.endsWith('.json')).map((path) => read(path))
    const asked = texts.flatMap(
      (text) =>
        text.match(/(?<=path: |httpchk GET |\} \|\| 8080\}|FLIGHTDECK_PORT \|\| 8080\})\/\w+/g) ??
        [],
    )
    expect(new Set(asked)).toEqual(new Set(['/livez', '/readyz']))
    for (const url of new Set(asked)) {
      expect([url, (await world.app.inject({ url })).statusCode]).toEqual([url, 200])
    }
  })

  /** Names of series as queries use them: a histogram has three. */
  async function exposed(): Promise<Set<string>> {
    const authorization = `Bearer ${token}`
    const { body } = await world.app.inject({ url: '/metrics', headers: { authorization } })
    const types = [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    return new Set(
      types.flatMap(([, name, type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ) as string[],
    )
  }

  const queries: string[] = [
    ...dashboard.panels.flatMap(({ targets = [] }: Foreign) => targets),
    ...dashboard.annotations.list,
    ...rules.groups.flatMap((group: Foreign) => group.rules),
  ].map(({ expr }) => expr)

  test('has every metric that the dashboard and the alerts ask for', async () => {
    const known = await exposed()
    const asked = queries.flatMap(
      (query) =>
        query.replaceAll(/"[^"]*"/g, '').match(/\b(?:flightdeck|nodejs|process)_\w+/g) ?? [],
    )
    expect(asked.length).toBeGreaterThan(30)
    expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([])
  })

  test('has every route that they name', () => {
    const routes = queries.flatMap((query) => query.match(/(?<=route!?=")[^"]+/g) ?? [])
    for (const url of new Set(routes)) {
      expect([url, world.app.hasRoute({ method: 'GET', url })]).toEqual([url, true])
    }
  })
})
