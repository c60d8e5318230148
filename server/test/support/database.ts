import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { DatabaseAddress } from '../../src/database/address.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    address: DatabaseAddress
    dataDir: string
  }
}

/** One real PostgreSQL for the whole run. Each test makes an organization, which is its world. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-test-'))
  const settings = { fsync: 'off', synchronous_commit: 'off', max_connections: '200' }
  const postgres = await startEmbedded({ dataDir, owner: 'npm test', settings })
  await migrate(postgres.address)
  project.provide('address', postgres.address)
  project.provide('dataDir', dataDir)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
