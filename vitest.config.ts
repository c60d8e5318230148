import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They take longest, and most of that they wait: so they begin first, and others work meanwhile. */
const longest = [
  'faults/connections-cut',
  'faults/replica-lost',
  'command-line',
  'killed',
  'replicas-deaf',
  'faults/black-hole',
  'every-change',
  'faults/redis-killed',
  'backup-command',
  'backup-recipes',
  'faults/failover',
  'embedded',
  'listen',
  'faults/postgres-restarted',
  'faults/clock-off',
  'slow-clients',
  'faults/disk-full',
]

function placeOf({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at === -1 ? longest.length : at
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other))
  }
}

const memory = '/dev/shm'
const enoughBytes = 4 * 1024 ** 3

function bytesFreeIn(directory: string): number {
  if (!existsSync(directory)) return 0
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

// Databases that are made and thrown away need no disk, where there is memory for them.
if (bytesFreeIn(memory) >= enoughBytes) process.env.TMPDIR ??= memory

export default defineConfig({
  test: {
    include: ['{server,sdk,scripts,bench}/**/*.test.ts'],
    globalSetup: ['server/test/support/database.ts'],
    setupFiles: ['server/test/support/release-memory.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'threads',
    // To import the whole service anew would take each file a second, and share nothing but code.
    isolate: false,
    // Twice the cores of a small machine: a file that waits takes nobody's place.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
})
