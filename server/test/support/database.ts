import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { readConfig } from '../../src/config/config.ts'
import { loadMasterKey } from '../../src/crypto/master-key-file.ts'
import type { DatabaseAddress } from '../../src/database/address.ts'
import { type PostgresAddress, startEmbedded } from '../../src/database/embedded/start.ts'
import { migrate } from '../../src/database/upkeep/migrate.ts'
import {
  type CoordinatorAddress,
  citusAddress,
  copyOnCitus,
  createOnCitus,
  dropOnCitus,
} from './machines/citus.ts'
import { canStartCluster, type OwnCluster, startCluster } from './machines/own-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    address: DatabaseAddress
    /** The name of a template database with the schema only. */
    migrated: string
    dataDir: string
  }
}

/** One real PostgreSQL for the whole run. Each test creates its own organization. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-test-'))
  const cluster = project.name === 'citus' && !citusAddress() ? await clusterOfRun() : null
  const coordinator = citusAddress()
  if (coordinator) {
    const end = await setUpOnCitus(project, { coordinator, dataDir })
    return async () => {
      await end()
      await cluster?.close()
    }
  }
  const settings = { fsync: 'off', synchronous_commit: 'off', max_connections: '200' }
  const postgres = await startEmbedded({ dataDir, owner: 'npm test', settings })
  const migrated = 'migrated'
  await migrate(postgres.address)
  await copyDatabase(postgres.address, migrated)
  // Otherwise worlds that open at the same instant would each find it missing.
  await loadMasterKey(readConfig({ FLIGHTDECK_DATA_DIR: dataDir }), { query: async () => [] })
  project.provide('address', postgres.address)
  project.provide('migrated', migrated)
  project.provide('dataDir', dataDir)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A cluster of this run, where one can be started. */
async function clusterOfRun(): Promise<OwnCluster> {
  if (!canStartCluster()) {
    throw new Error('FLIGHTDECK_CITUS_URL has to name the coordinator of a cluster of Citus')
  }
  const cluster = await startCluster(2)
  process.env.FLIGHTDECK_CITUS_URL = cluster.url
  return cluster
}

type OnCitus = { coordinator: CoordinatorAddress; dataDir: string }

/** As on one PostgreSQL, on databases of its own in the cluster. */
async function setUpOnCitus(project: TestProject, { coordinator, dataDir }: OnCitus) {
  const database = `run_${randomUUID().replaceAll('-', '')}`
  const migrated = `${database}_migrated`
  await createOnCitus(coordinator, migrated)
  await copyOnCitus(coordinator, { template: migrated, name: database })
  await loadMasterKey(readConfig({ FLIGHTDECK_DATA_DIR: dataDir }), { query: async () => [] })
  project.provide('address', { ...coordinator, database })
  project.provide('migrated', migrated)
  project.provide('dataDir', dataDir)
  return async () => {
    await dropOnCitus(coordinator, database)
    await dropOnCitus(coordinator, migrated)
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function copyDatabase(address: PostgresAddress, copy: string): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query(`create database ${copy} template ${address.database}`)
  await client.end()
}
