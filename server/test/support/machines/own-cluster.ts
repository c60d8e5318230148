import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePorts } from './ports.ts'

const program = join(import.meta.dirname, '../../../../../shared/citus/cluster')

/** Whether a cluster of Citus can be started here. */
export const canStartCluster = (): boolean => existsSync(program)

/** A cluster of Citus on this machine, whose nodes may be killed. */
export type OwnCluster = {
  /** The coordinator's address, of a role that may create databases. */
  url: string
  /** The directory of the coordinator's socket. */
  socketDirectory: string
  port: number
  /** Kills a server with -9: `coordinator`, or `worker-` and its number. */
  kill(node: string): Promise<void>
  /** Starts a server that was killed. */
  start(node: string): Promise<void>
  /** The number of the server's first process. */
  processOf(node: string): Promise<number>
  close(): Promise<void>
}

const run = promisify(execFile)

export async function startCluster(workers: number): Promise<OwnCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-citus-'))
  await chmod(folder, 0o755)
  const port = await freePorts(workers + 1)
  const { stdout } = await run(program, ['start', folder, String(workers), String(port)])
  const pidOf = async (node: string) =>
    Number((await readFile(join(folder, node, 'postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    url: stdout.trim(),
    socketDirectory: join(folder, 'coordinator'),
    port,
    async kill(node) {
      process.kill(await pidOf(node), 'SIGKILL')
    },
    processOf: pidOf,
    start: (node) => startServer(join(folder, node)),
    close: async () => {
      await run(program, ['stop', folder, '--delete'])
    },
  }
}

/** As the account that owns the directory; its processes may not all have noticed the kill yet. */
async function startServer(directory: string, tries = 20): Promise<void> {
  const [binary = ''] = (await readFile(join(directory, 'postmaster.opts'), 'utf8')).split(' ')
  const files = `-D ${directory} -l ${join(directory, 'log')}`
  const command = `${join(dirname(binary), 'pg_ctl')} ${files} -w -s start`
  try {
    await run('su', ['postgres', '-s', '/bin/sh', '-c', command])
  } catch (error) {
    if (tries === 0) throw error
    await sleep(500)
    await startServer(directory, tries - 1)
  }
}
