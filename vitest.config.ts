import { existsSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { filesNotOnCitus } from './server/test/citus/not-on-citus.ts'

const every = ['{server,sdk,cli,scripts,bench,examples,console,connectors}/**/*.test.ts']

/** What starts, kills and starves whole processes: it takes longest, and most of that it waits. */
const ofProcesses = [
  'server/test/{backup,cli,deploy,faults,guides,replicas}/**/*.test.ts',
  'server/src/database/embedded/**/*.test.ts',
  'sdk/package.test.ts',
  'connectors/kit/package.test.ts',
  'examples/**/*.test.ts',
  'cli/test/{commands,every}.test.ts',
  'connectors/{sim,google-ads}/killed/**/*.test.ts',
]

/** What has to be done within seconds: it runs alone, as all takes longer beside other tests. */
const ofSeconds = [
  'server/src/jobs/leases.test.ts',
  'server/test/replicas/{roles,shared-limits,taken-over}.test.ts',
]

const memory = '/dev/shm'
const enoughBytes = 4 * 1024 ** 3

function bytesFreeIn(directory: string): number {
  if (!existsSync(directory)) return 0
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/**
 * Run on a cluster of Citus as well: what speaks to a database through the service, but for what has no
 * statement of its own or takes minutes there: docs/guides/scaling.md.
 */
const onCitus = [
  'server/test/{agents,citus,identity,product,scope}/**/*.test.ts',
  'server/test/http/idempotency.test.ts',
  'server/test/replicas/{change-sets-killed,killed,taken-over}.test.ts',
  'server/src/{background,delivery,features,identity,jobs,kernel,mail}/**/*.test.ts',
  'server/src/crypto/rotation.test.ts',
  'server/src/observability/write-health.test.ts',
  'server/src/query/total.test.ts',
]

// Databases that are made and thrown away need no disk, where there is memory for them.
if (bytesFreeIn(memory) >= enoughBytes) process.env.TMPDIR ??= memory

// The SDK's TypeScript, not what was built of it.
const conditions = ['flightdeck-source', 'module', 'node', 'development|production']

/** Minutes each, which few lines do not show: begun last, they would run alone. */
const longest = /server\/test\/(citus\/outages|replicas\/killed)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (longest.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: ['server/test/support/release-memory.ts'],
    // Only ends what hangs: a machine may be several times as slow as another.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A condition that holds ends the wait at once, so that this is only how late it may be.
    expect: { poll: { timeout: 20_000 } },
    pool: 'threads',
    // To import the whole service again would take each file a second, and share nothing but code.
    isolate: false,
    // Twice the cores of a small machine: a file that waits takes no one's place.
    maxWorkers: 4,
    // A machine that does other work beside may make a test too late once, not twice.
    retry: process.env.CI ? 2 : 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          globalSetup: ['server/test/support/database.ts'],
          include: every,
          exclude: [
            ...configDefaults.exclude,
            ...ofProcesses,
            ...ofSeconds,
            'server/test/citus/**',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          globalSetup: ['server/test/support/database.ts'],
          include: ofProcesses,
          exclude: [...configDefaults.exclude, ...ofSeconds],
          // Each starts processes, and they take ten times as long on a busy machine.
          testTimeout: 180_000,
          maxWorkers: 5,
        },
      },
      {
        extends: true,
        test: {
          name: 'seconds',
          globalSetup: ['server/test/support/database.ts'],
          include: ofSeconds,
          testTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'citus',
          globalSetup: ['server/test/support/database.ts'],
          include: onCitus,
          exclude: [...configDefaults.exclude, ...Object.keys(filesNotOnCitus)],
          // Each statement goes over the coordinator to a worker.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          include: ['console/**/*.e2e.ts'],
          globalSetup: ['server/test/support/database.ts', 'console/test/setup.ts'],
          testTimeout: 180_000,
        },
      },
    ],
  },
})
