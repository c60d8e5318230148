import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventTypes, features } from '../../src/features/index.ts'
import * as coreIds from '../../src/values/core-ids.ts'
import { endpoints } from '../support/documented.ts'

/** Finds declarations of features that are written down a second time. */

const src = join(import.meta.dirname, '../../src')
const permissions = features.flatMap((feature) => feature.permissions ?? [])
const collections = features.flatMap(({ ids = {} }) => Object.entries(ids))
const tags = features.flatMap(({ tag }) => tag ?? [])

const generated = ['database/tables/types.ts', 'config/caps.ts']

type Source = { path: string; text: string }
let sources: Source[]

beforeAll(async () => {
  const paths = await Array.fromAsync(glob('**/*.ts', { cwd: src }))
  sources = paths
    .filter((path) => !path.endsWith('.test.ts') && !generated.includes(path))
    .map((path) => ({ path, text: withoutExamples(readFileSync(join(src, path), 'utf8')) }))
})

const withoutExamples = (text: string) => text.replaceAll(/\bexamples: \[[^\]]*\]/g, '')

const repeated = (names: readonly string[]) =>
  names.filter((name, at) => names.indexOf(name) !== at)

/** The folders of the sources that contain it. */
const foldersWith = (written: RegExp): string[] => [
  ...new Set(sources.filter(({ text }) => written.test(text)).map(({ path }) => folderOf(path))),
]

const folderOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/')

describe('permissions', () => {
  test('are declared by the entry of one feature each', () => {
    const names = permissions.map(({ name }) => name)
    expect(repeated(names)).toEqual([])
    const made = sources.flatMap(({ text }) => [...text.matchAll(/\bpermission\('([\w.]+)'/g)])
    expect(made.map(([, name]) => name).sort()).toEqual([...names].sort())
  })

  test('of endpoints and events are among them', () => {
    const used = [...endpoints, ...eventTypes].flatMap(({ permission }) => permission ?? [])
    expect(used.filter((permission) => !permissions.includes(permission))).toEqual([])
  })

  test.each(permissions)('$name is written in one place', ({ name }) => {
    expect(foldersWith(new RegExp(`'${name}'`))).toHaveLength(1)
  })
})

describe('tags', () => {
  test('are the features’ own, and have a name each', () => {
    expect(repeated(tags.map(({ name }) => name))).toEqual([])
    expect(endpoints.filter(({ tag }) => !tags.includes(tag))).toEqual([])
  })

  test.each(tags)('$name is written in one place', ({ name }) => {
    expect(foldersWith(new RegExp(`name: '${name}'`))).toHaveLength(1)
  })
})

describe('ids', () => {
  test('have a collection each, and a prefix each', () => {
    expect(repeated(collections.map(([collection]) => collection))).toEqual([])
    // Names have none.
    const prefixes = collections.map(([, { prefix }]) => prefix)
    expect(repeated(prefixes.filter(Boolean))).toEqual([])
  })

  const own = collections.filter(
    ([, type]) => type.prefix !== '' && !Object.values<unknown>(coreIds).includes(type),
  )

  test.each(own)('the prefix of %s is written in one place', (_, { prefix }) => {
    // `cli` is also the name of a source of change sets.
    expect(foldersWith(new RegExp(`, '${prefix}'\\)`))).toHaveLength(1)
  })
})

describe('tables and caps', () => {
  /** Places that name a table or cap, apart from the feature that declares it. */
  const also: Readonly<Record<string, readonly string[]>> = {
    // Profiles count their campaigns. Change sets change these, deployments follow them. JSON columns
    // hold some of their objectives. The demo deploys some.
    // Filters of channels read what events are about.
    campaigns: [
      'features/notifications',
      'features/profiles',
      'features/results',
      'features/change-sets',
      'features/deployments',
      'features/reports',
      'database/tables',
      'commands/demo',
    ],
    // A campaign shows the state of its own.
    deployments: ['features/notifications', 'database/tables'],
    // Connectors are a part of deployments.
    connections: ['features/deployments', 'features/profiles'],
    connector_leases: ['features/deployments'],
    network_campaigns: ['features/deployments'],
    former_objects: ['features/deployments'],
    // Change sets change these.
    // The pacing of clients is that of their campaigns.
    clients: [
      'features/notifications',
      'features/change-sets',
      'features/campaigns',
      'features/reports',
    ],
    // A client with reports cannot be deleted.
    reports: ['features/clients'],
    report_logos: ['features/reports'],
    report_snapshots: ['features/reports'],
    report_links: ['features/reports'],
    report_schedules: ['features/reports'],
    client_budgets: ['features/clients', 'features/campaigns'],
    client_pacing: ['features/campaigns'],
    client_pacing_due: ['features/campaigns'],
    campaign_performance: ['features/campaigns'],
    campaign_metrics: ['features/campaigns'],
    // Problems and the groups of directories have members, too.
    members: ['problems', 'features/scim'],
    // Referred to by campaigns and templates, and referring to clients and proxies; named in
    // results, and in the demo.
    profiles: [
      'features/notifications',
      'features/campaigns',
      'features/clients',
      'features/templates',
      'features/proxies',
      'features/results',
      'features/change-sets',
      'features/deployments',
      'features/reports',
      'commands/demo',
    ],
    // A bulk request has results, too; their partitions are made as days come. Operations of change
    // sets show what was achieved lately.
    results: ['features/campaigns', 'features/change-sets', 'http/reply', 'database/upkeep'],
    result_months: ['features/results', 'features/campaigns'],
    // Profiles show them, in a field of that name that is in no difference.
    campaign_counts: ['features/campaigns', 'features/profiles', 'schema'],
    campaign_pacing: ['features/campaigns'],
    result_days: ['features/results', 'features/campaigns'],
    result_labels: ['features/results'],
    result_source_totals: ['features/results'],
    // A campaign with results cannot be deleted.
    result_sources: ['features/results', 'features/campaigns'],
    // Referred to by profiles. They decide whether campaigns can run, and failing ones are counted.
    proxies: [
      'features/profiles',
      'features/campaigns',
      'features/change-sets',
      'features/deployments',
      'observability',
    ],
    // The rules of change sets are part of the guardrails.
    change_sets: ['features/guardrails', 'features/reports'],
    // Theirs alone.
    change_set_operations: [
      ...['features/change-sets', 'features/reports', 'features/notifications'],
    ],
    notification_channels: ['features/notifications'],
    // Templates fill new campaigns.
    templates: ['features/campaigns', 'features/change-sets'],
    // Events are delivered to them, in a sandbox too.
    webhook_endpoints: ['kernel', 'delivery', 'observability', 'crypto', 'features/sandbox'],
    // Requests are authenticated with keys, and operators list and revoke them.
    // A change set by an agent takes of the envelope of its key.
    // The maker of a key is not notified of what it did.
    api_keys: [
      ...['features/change-sets', 'identity', 'kernel', 'features/auth', 'commands/api-keys'],
      'features/notifications',
    ],
  }

  const capped = features.flatMap(({ cap, tables = [] }) => [
    ...(cap ? [cap.name] : []),
    ...tables.filter(({ isSequenced }) => !isSequenced).map(({ name }) => name),
  ])

  test('a cap without SQL of its own counts the rows of a table of its feature', () => {
    const inHead = features.filter(({ cap }) => cap && cap.countSql === undefined)
    expect(inHead.length).toBeGreaterThan(4)
    for (const { cap, tables = [] } of inHead) {
      expect(tables.map(({ name }) => String(name))).toContain(cap?.name)
    }
  })

  test.each([...new Set<string>(capped)])('%s is named by its feature', (name) => {
    const named = new RegExp(`'${name}'|\\b(?:from|join|into|update) ${name}\\b`)
    const own = `features/${name.replaceAll('_', '-')}`
    // A scope narrows every table, in one place.
    // A view names the list that it is of, a tool of models the part of an object.
    const expected = [own, 'database/scope', 'features/views', 'mcp/tools', ...(also[name] ?? [])]
    expect(foldersWith(named).filter((folder) => !expected.includes(folder))).toEqual([])
  })
})
