import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { DATABASE_NAME, DATABASE_USER, keepPassword, newPassword, type Site } from './cluster.ts'
import { pathFor } from './launch.ts'
import { PORT, startPostmaster } from './postmaster.ts'

const answerWithinMs = 10_000
const RULES_FILE = 'pg_hba.repair.conf'
const RULES = `local ${DATABASE_NAME} ${DATABASE_USER} trust\n`

/**
 * Sets a new password when the file with the old one is lost. Until then PostgreSQL asks for none: only
 * its own user and root can reach its socket, in a directory closed to others.
 */
export async function replacePassword(site: Site, socketDir: string): Promise<void> {
  const rules = join(site.clusterDir, RULES_FILE)
  await rm(rules, { force: true })
  await writeFile(rules, RULES, { flag: 'wx' })
  const hba_file = join(pathFor(site.runner, site.clusterDir), RULES_FILE)
  const postmaster = await startPostmaster(site, socketDir, { hba_file })
  try {
    const password = newPassword()
    await setPassword(socketDir, password)
    await keepPassword(site.dataDir, password)
  } finally {
    await postmaster.stop()
    await rm(rules, { force: true })
  }
}

async function setPassword(host: string, password: string): Promise<void> {
  const user = DATABASE_USER
  const site = { host, port: PORT, user, database: DATABASE_NAME }
  const waits = { connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs }
  const client = new pg.Client({ ...site, ...waits })
  await client.connect()
  try {
    await client.query(`alter role ${user} password ${pg.escapeLiteral(password)}`)
  } finally {
    await client.end()
  }
}
