import { dirname } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  circleIn,
  folderGraph,
  isTest,
  loadedWith,
  roomIn,
  runtimeGraph,
  type Source,
  sourcesOf,
  upward,
} from '../support/sources.ts'

let sources: Source[]
let everything: Source[]

beforeAll(async () => {
  sources = (await sourcesOf('server/src/**/*.ts')).filter(({ path }) => !isTest(path))
  everything = await sourcesOf(
    '{server/src,server/test,sdk,scripts,bench}/**/*.ts',
    'console/{src,test}/**/*.{ts,tsx}',
  )
  everything = everything.filter(({ path }) => !/node_modules|^sdk\/dist/.test(path))
})

/** Imports from one part of server/src to another, by what they are not allowed. */
function offences(of: (path: string) => boolean, allowed: (path: string) => boolean): string[] {
  return sources
    .filter(({ path }) => of(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith('server/') && !allowed(target))
        .map((target) => `${path} → ${target}`),
    )
}

const within = (...places: string[]) => {
  const full = places.map((place) => `server/src/${place}`)
  return (path: string) => full.some((place) => path === place || path.startsWith(`${place}/`))
}

/** The rooms of server/src. Each imports only those above it, types included. */
const rooms = [
  'revision.ts',
  'version.ts',
  'problems',
  'values',
  'concurrency',
  'schema',
  'config',
  'egress',
  'database',
  'observability',
  'signals',
  'crypto',
  'limits',
  'identity',
  'kernel',
  'query',
  'history',
  'jobs',
  'mail',
  'delivery',
  'http',
  'features',
  'mcp',
  'services.ts',
  'process',
  'app.ts',
  'background',
  'main.ts',
  'backup',
  'commands',
]

describe('imports point one way', () => {
  test('every room of server/src is in the list', () => {
    const found = new Set(sources.map(({ path }) => roomIn('server/src', path)))
    expect([...found].sort()).toEqual([...rooms].sort())
  })

  test('a room imports only the rooms above it, types included', () => {
    expect(upward(sources, 'server/src', rooms)).toEqual([])
  })

  test('values, problems and concurrency know nothing of the product', () => {
    const own = within('values', 'problems', 'concurrency')
    expect(offences(own, own)).toEqual([])
  })

  test('features import http/endpoint.ts and http/feature.ts, and nothing else of the wire', () => {
    const foreign = within('http', 'delivery', 'background', 'process', 'commands')
    const declarations = within('http/endpoint.ts', 'http/feature.ts')
    // URLs that clients choose are judged, posted to and tried again in one way.
    const posting = within('delivery/target.ts', 'delivery/retry-schedule.ts', 'delivery/sending')
    const may = (path: string) => !foreign(path) || declarations(path) || posting(path)
    expect(offences(within('features'), may)).toEqual([])
  })

  test('the kernel holds the write path: at most 16 files', () => {
    const files = sources.filter(({ path }) => path.startsWith('server/src/kernel/'))
    expect(files.length).toBeLessThanOrEqual(16)
  })

  test('features do not import each other, but for the few that are named here', () => {
    const featureOf = (path: string) => /^server\/src\/features\/([^/]+)\//.exec(path)?.[1]
    const across = sources.flatMap(({ path, imports }) => {
      const own = featureOf(path)
      if (own === undefined) return []
      return (
        imports
          .filter((target) => featureOf(target) !== undefined && featureOf(target) !== own)
          // Declarations of a feature are there for all.
          .filter((target) => !target.endsWith('/resource.ts'))
          .map((target) => `${own} → ${target.slice('server/src/features/'.length)}`)
      )
    })
    const named = [
      // A template presets a campaign, and is checked as one.
      /^templates → campaigns\/(schema|target\/schema|draft\/normalize|profile-facts)\.ts$/,
      // The rules that campaigns, profiles and change sets are judged by.
      /^(campaigns|profiles|change-sets) → guardrails\/(direct|rules|stored)\.ts$/,
      // A change set makes the changes of these, by their own verbs.
      /^change-sets → campaigns\/(bulk\/\w+|lifecycle\/(names|transitions)|campaigns|guardrails\/daily-cost|list\/export|schema|refusals|status\/schema)\.ts$/,
      /^change-sets → results\/(calendar|summary\/metrics)\.ts$/,
      // Targets are judged by results, in the figures and days that these have.
      /^campaigns → results\/(calendar|summary\/metrics)\.ts$/,
      // Results are filtered by what campaigns and profiles may be.
      /^results → (campaigns\/(label-filter|lifecycle\/transitions)|profiles\/schema)\.ts$/,
      // Results stand beside what their campaigns are planned to spend.
      /^results → campaigns\/pacing\/planned-between\.ts$/,
      // Profiles have clients, which one that names a new one makes; lists are filtered by them.
      /^profiles → clients\/named\.ts$/,
      /^(campaigns|profiles|results) → clients\/filter\.ts$/,
      /^change-sets → (clients|profiles|proxies|templates)\/(\1|schema|refusals)\.ts$/,
      // A deployment follows its campaign, and changes it by its own verbs.
      /^deployments → campaigns\/(actions|campaigns|client-filter|draft\/schedule|event-types|lifecycle\/names|present|profile-facts|schedule\/dayparting|schema|search\/search|taken-over\/taken-over)\.ts$/,
      // The values of a network are proposed as a change of the campaign; networks judge change sets.
      /^deployments → change-sets\/(operations\/network-checks|propose|schema)\.ts$/,
      // Connectors get the accounts that they hold, with their proxies.
      /^deployments → (profiles\/(profiles|schema|simulated)|proxies\/credentials)\.ts$/,
      // A report shows results, plans and changes of campaigns.
      /^reports → campaigns\/(client-pacing\/(list|schema)|guardrails\/daily-cost|lifecycle\/names)\.ts$/,
      /^reports → (profiles\/schema|results\/(calendar|summary\/(fixed-period|period|result-group|whole)))\.ts$/,
      // A new organization has its first owner.
      /^organizations → members\/members\.ts$/,
      // A member shows whether a second factor guards the logins.
      /^auth → members\/members\.ts$/,
      // A directory makes and changes members, by rules of its own.
      /^scim → members\/(members|directory)\.ts$/,
      // Groups give roles by the settings of single sign-on.
      /^scim → sso\/stored\.ts$/,
      // A login by single sign-on makes a member, and opens a session; enforced, an owner keeps a way back in.
      /^sso → (auth\/login|members\/(members|way-back))\.ts$/,
      // An accepted invitation makes a member, and opens a session.
      /^invitations → (auth\/(login|schema)|members\/(members|schema))\.ts$/,
    ]
    expect(across.filter((each) => !named.some((pattern) => pattern.test(each)))).toEqual([])
  })

  test('sub-rooms of a feature point one way', () => {
    const own = sources.filter(({ path }) => path.startsWith('server/src/features/'))
    const graph = folderGraph(own)
    const both = [...graph].flatMap(([from, all]) =>
      [...all].filter((to) => from < to && graph.get(to)?.has(from)).map((to) => `${from} → ${to}`),
    )
    // Declarations of a feature are there for all.
    const declared =
      /^server\/src\/features\/campaigns → server\/src\/features\/(?:deployments|results|templates)$/
    expect(both.filter((arrow) => !declared.test(arrow))).toEqual([])
  })

  test('the SDK knows the service by its OpenAPI document alone', () => {
    const clients = everything.filter(({ path }) => path.startsWith('sdk/src/'))
    const foreign = clients.flatMap(({ imports }) => imports.filter((it) => !it.startsWith('sdk/')))
    expect(foreign.filter((name) => !name.startsWith('node:'))).toEqual([])
  })

  test('there is no circle of imports between files that run', () => {
    expect(circleIn(runtimeGraph(sources))).toBeUndefined()
  })
})

const writingSql =
  /\b(?:insert into|delete from|update \S+ (?:\w+ )?set|merge into|truncate|for (?:no key )?update|for (?:key )?share)\b/

/** The names that a file gives to such SQL, and to what is made of it. */
function namesOf(sql: RegExp, text: string, known: Iterable<string> = []): Set<string> {
  const names = new Set<string>(known)
  const declared = [...text.matchAll(/const (\w+)[^=\n]*=(?!=)((?:[^`\n]*`[^`]*`)?[^\n]*)/g)]
  // Twice: what is made of a name may be declared before it.
  for (const [, name = '', value = ''] of [...declared, ...declared]) {
    if (sql.test(value) || mentions(value, names)) names.add(name)
  }
  return names
}

const mentions = (text: string, names: ReadonlySet<string>): boolean =>
  (text.match(/\w+/g) ?? []).some((word) => names.has(word))

/** Statements that write and are given to a reader, or to a transaction as a read. */
function writesThroughReader({ path, text }: Pick<Source, 'path' | 'text'>): string[] {
  const names = namesOf(writingSql, text)
  const reads = text.matchAll(/\b(?:reader|tx)\.query\b[^(]*\(([^)]*)\)/g)
  return [...reads]
    .filter(([, argument = '']) => writingSql.test(argument) || mentions(argument, names))
    .map(([, argument = '']) => `${path}: ${[...names].find((name) => argument.includes(name))}`)
}

const tenantSql = /\borganization_id = \$1\b/

/** Statements with the tenant that get their parameters by hand. */
function boundByHand({ path, text }: Pick<Source, 'path' | 'text'>): string[] {
  // SQL of another file: part of a statement here.
  const names = namesOf(tenantSql, text, /\brecordsSql\b/.test(text) ? ['recordsSql'] : [])
  return [...text.matchAll(/[{,]\s*sql(?::\s*((?:`[^`]*`|[^,}])*)|(?=,))/g)]
    .map(([, value = 'sql']) => value)
    .filter((value) => tenantSql.test(value) || mentions(value, names))
    .map((value) => `${path}: ${value.trim()}`)
}

const filesWith = (pattern: RegExp, files = sources) =>
  files.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

describe('each thing has one door', () => {
  test('only database/ speaks to PostgreSQL’s driver', () => {
    const speakers = sources.filter(({ imports }) => imports.includes('pg'))
    const strangers = speakers.map(({ path }) => path).filter((path) => !within('database')(path))
    expect(strangers).toEqual([])
  })

  test('only three files lean on the driver’s inner classes', () => {
    expect(filesWith(/extends pg\.|\bclient\.connection\b/)).toEqual([
      'server/src/database/driver/connection.ts',
      'server/src/database/driver/protocol.ts',
      // A silent database is not waited for.
      'server/src/database/upkeep/migration-client.ts',
    ])
  })

  test('only the kernel and the database open transactions, and the few named here', () => {
    const openers = filesWith(/\.transaction\(/)
    expect(openers.filter((path) => !within('kernel', 'database')(path))).toEqual([
      // Master keys belong to no organization, and what is sealed again stays what it is.
      'server/src/crypto/master-key.ts',
      'server/src/crypto/reseal.ts',
      'server/src/crypto/rotation.ts',
      // Results of attempts are not changes: they have their own log.
      'server/src/delivery/record.ts',
      // A count of refusals is no change of a key.
      'server/src/features/api-keys/refusals.ts',
      // Signing a chain is no change of it.
      'server/src/features/audit-logs/checkpointing.ts',
      // That a chain was verified is no change of it.
      'server/src/features/audit-logs/nightly/due.ts',
      // A purge makes no event.
      'server/src/features/audit-logs/retention.ts',
      // A program that waits for its login belongs to no organization yet.
      'server/src/features/auth/login-codes/store.ts',
      // Figures that only the clock changes are no change of a campaign, nor of a client.
      'server/src/features/campaigns/client-pacing/assess-due.ts',
      'server/src/features/campaigns/pacing/due.ts',
      'server/src/features/campaigns/target/due.ts',
      // Leases, intents and what connectors have seen before are no change of what there is.
      'server/src/features/deployments/beside.ts',
      // Notices to people are no change of what an organization has.
      'server/src/features/notifications/beside.ts',
      // An organization that is not yet there has no chain to write to.
      'server/src/features/organizations/create.ts',
      // A check that finds a proxy as it was before is no change of it.
      'server/src/features/proxies/check-job.ts',
      // That a link to a report was opened is no change of it.
      'server/src/features/reports/page/opened.ts',
      // When an API key was last used is no change of it.
      'server/src/identity/api-keys.ts',
      // In whose name tokens are issued belongs to no organization.
      'server/src/identity/issuer.ts',
      // A mail that is sent is no change of an organization.
      'server/src/mail/send-due.ts',
      // Two first starts at once wait for each other in it.
      'server/src/process/first-owner.ts',
      // A process's row is no change of an organization.
      'server/src/process/registry.ts',
      // An index of searches is no change of what an organization has.
      'server/src/query/search/keeping.ts',
    ])
  })

  test('features read through the context; what reads only cannot write', () => {
    const bypass = /services\.database\.(reader|transaction)/
    const found = filesWith(bypass).filter(within('features'))
    // These go through all organizations, where there is no context yet.
    const ofAll =
      /(beside|checkpointing|check-job|create|due|login-codes\/store|opened|retention|timed|timed-moves)\.ts$/
    expect(found.filter((path) => !ofAll.test(path))).toEqual([])
  })

  test('no statement that writes goes through what only reads', () => {
    const found = sources.flatMap((source) => writesThroughReader(source))
    expect(found).toEqual([])
    const text =
      'const setSql = `\n  update rows set a = 1 returning a`\nawait ctx.reader.query<Row>({ sql: setSql })'
    expect(writesThroughReader({ path: 'a.ts', text })).toEqual(['a.ts: setSql'])
  })

  test('raw SQL of an organization gets the tenant from tenantQuery()', () => {
    const raw = sources.filter(({ path }) => within('kernel', 'query', 'history', 'features')(path))
    expect(raw.flatMap(boundByHand)).toEqual([])
    const one = 'const oneSql = `select from rows where organization_id = $1`\n'
    const byHand = `${one}tx.query({ sql: oneSql, parameters: [organizationId] })`
    expect(boundByHand({ path: 'a.ts', text: byHand })).toEqual(['a.ts: oneSql'])
    const short = `${one.replace('oneSql', 'sql')}tx.send({ sql, parameters })`
    expect(boundByHand({ path: 'a.ts', text: short })).toEqual(['a.ts: sql'])
    const bound = `${one}tx.query(tenantQuery(ctx, oneSql))`
    expect(boundByHand({ path: 'a.ts', text: bound })).toEqual([])
  })

  // Such functions are made in the old generation, and keep what they reach: docs/decisions/0004.
  test('no function is written where it is assigned to a property, and no timer of pg’s assigns one', () => {
    const assigned = /[\w\])]\.#?\w+ (\?\?)?= (async )?(function\b|\([^()]*\) =>|\w+ =>)/
    expect(filesWith(assigned)).toEqual([
      // Once for each route.
      'server/src/http/server/tracing.ts',
    ])
    expect(filesWith(/query_timeout/)).toEqual([
      // The queue: a few statements a second.
      'server/src/background/queue.ts',
      // Single connections at the start: a few statements each.
      'server/src/database/embedded/password.ts',
      'server/src/database/upkeep/migration-client.ts',
    ])
  })

  test('what is sealed or signed to be kept is brought under a new master key, or named here', () => {
    expect(filesWith(/[cC]ipher(?:With\(\w+\))?\.(?:seal|sign)\(|signText\(/)).toEqual(
      [
        // Files older than the key open with the key of their time.
        'server/src/backup/file-key.ts',
        // A cursor lives for as long as its client walks a list.
        'server/src/crypto/cursors.ts',
        'server/src/crypto/cipher.ts',
        // The keys themselves.
        'server/src/crypto/master-key-proof.ts',
        'server/src/crypto/sealed-table.ts',
        'server/src/crypto/signing-keys.ts',
        'server/src/crypto/webhook-secret.ts',
        'server/src/features/audit-logs/anchors.ts',
        // A login under way ends within five minutes.
        'server/src/features/auth/factors/challenges.ts',
        'server/src/features/auth/factors/passkeys/lone-challenge.ts',
        'server/src/features/auth/factors/stored.ts',
        'server/src/features/change-sets/operations/bodies.ts',
        'server/src/features/notifications/channels/target.ts',
        'server/src/features/proxies/credentials.ts',
        // A login under way ends within ten minutes.
        'server/src/features/sso/login/attempt.ts',
        'server/src/features/sso/stored.ts',
        // Fingerprints are needed for a day, for which both keys work.
        'server/src/http/request/idempotency.ts',
        // Counters end within the hour.
        'server/src/identity/logins/throttle.ts',
        'server/src/limits/counters/private-counter.ts',
        'server/src/kernel/idempotency.ts',
        'server/src/mail/post.ts',
        // Written again with each change of the keys.
        'server/src/process/registry.ts',
      ].sort(),
    )
  })

  test('each advisory lock has a number of its own', () => {
    const numbers = sources.flatMap(({ text }) => [
      ...new Set(text.replaceAll('_', '').match(/\b7352\d{3}\b/g)),
    ])
    expect(numbers.length).toBeGreaterThan(2)
    expect(numbers.filter((each, at) => numbers.indexOf(each) !== at)).toEqual([])
  })

  test('only environment.ts reads the environment, but for the path to programs', () => {
    expect(filesWith(/process\.env(?!\.PATH\b)/)).toEqual(['server/src/config/environment.ts'])
  })

  test('only the clock reads the time that the product goes by', () => {
    const readers = filesWith(/new Date\(\)|Date\.now\(\)|Temporal\.Now\.instant/)
    const product = within('values', 'crypto', 'identity', 'kernel', 'query', 'history', 'features')
    expect(readers.filter(product).concat(readers.filter(within('http')))).toEqual([
      // The very first signing key is made before there is a clock to ask.
      'server/src/crypto/master-key.ts',
      'server/src/values/clock.ts',
      // An id holds when it was made in truth, in sandboxes too.
      'server/src/values/ids.ts',
    ])
  })

  test('what is logged of a request names it, which the logger of the framework does not', () => {
    expect(filesWith(/\b(?:request|reply)\.log\b/)).toEqual([])
  })

  test('nothing writes to the console but what speaks to people', () => {
    const speakers = filesWith(/console\.(log|error|warn|info)/)
    expect(speakers.filter(within('kernel', 'features', 'http', 'database'))).toEqual([])
  })
})

test('the service starts without what only some need', () => {
  const loaded = [...loadedWith(runtimeGraph(sources), 'server/src/commands/serve.ts')]
  expect(loaded).toContain('fastify')
  // Names of `node:http` load a WebSocket client: docs/decisions/0018-memory-settings.md.
  const heavy =
    /^(?:undici|socks|openid-client|nodemailer|redis|prom-client|node:https?|@simplewebauthn|@modelcontextprotocol|@opentelemetry)(?:\/|$)/
  expect(loaded.filter((name) => heavy.test(name))).toEqual([])
})

describe('a place has a name that says what is in it', () => {
  test('no folder or file is a drawer for odds and ends', () => {
    const drawer = /(?:^|\/)(?:utils?|helpers?|common|shared|lib|libs|services|misc)(?:\/|$)/
    const paths = everything.map(({ path }) => path)
    expect(paths.filter((path) => drawer.test(dirname(path)))).toEqual([])
    expect(paths.filter((path) => /\/(?:utils?|helpers?|common|misc)\.ts$/.test(path))).toEqual([])
  })

  test('a folder is seen at a glance: it has at most 20 source files', () => {
    const counts = Map.groupBy(
      everything.filter(({ path }) => !isTest(path)),
      ({ path }) => dirname(path),
    )
    const large = [...counts].filter(([, files]) => files.length > 20)
    expect(large.map(([folder, files]) => `${folder} ${files.length}`)).toEqual([])
  })

  test('no file is longer than 300 lines', () => {
    const generated = [
      'server/src/database/tables/types.ts',
      'sdk/src/openapi.ts',
      'sdk/src/resources.ts',
    ]
    const long = everything
      .filter(({ path }) => !generated.includes(path) && !isTest(path))
      .map(({ path, text }) => `${path} ${text.trimEnd().split('\n').length}`)
      .filter((each) => Number(each.split(' ')[1]) > 300)
    expect(long).toEqual([])
  })

  test('no import hides behind a barrel', () => {
    const barrels = filesWith(/^export \* from/m).filter((path) => !path.endsWith('types.ts'))
    expect(barrels).toEqual([])
  })

  test('no code says `any`, `!` or `@ts-ignore`', () => {
    const loose =
      /@ts-(?:ignore|expect-error|nocheck)|\bas any\b|: any(?=[,;)=|&>[\]}]| [=|&{]|$)|<any>/m
    const names = filesWith(loose, everything).filter((path) => !path.startsWith('sdk/src/openapi'))
    // Code that must not compile is expected in one place of each client.
    const excepted = /(?:architecture|^sdk\/types)\.test\.ts$|\.test-d\.tsx?$/
    expect(names.filter((path) => !excepted.test(path))).toEqual([])
  })
})
