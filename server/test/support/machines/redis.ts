import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './ports.ts'

/** A Redis of one test file: it may be killed, held and restarted, on one port. */
export type OwnRedis = {
  url: string
  start(): Promise<void>
  /** As in a crash: counts are lost. */
  kill(): Promise<void>
  /** Keeps its connections but answers nothing, until `goOn`. */
  hold(): void
  goOn(): void
  close(): Promise<void>
}

const yearMs = 365 * 24 * 60 * 60 * 1000

/** Marks it as a minute old, so that processes count in it at once. */
export async function markAsOld(url: string): Promise<void> {
  const client = new Redis(url)
  await client.set('flightdeck:since', '1', 'PX', yearMs - 60_000, 'NX')
  client.disconnect()
}

export const isRedisInstalled = spawnSync('redis-server', ['--version']).status === 0

export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'flightdeck-redis-'))
  let child: ChildProcess | undefined

  async function kill(): Promise<void> {
    if (!child) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    child = undefined
  }

  async function start(): Promise<void> {
    const options = { port, bind: '127.0.0.1', dir, save: '', appendonly: 'no' }
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    child = spawn('redis-server', words, { stdio: 'ignore' })
    while (!(await answers(port))) await sleep(20)
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    hold: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    close: async () => {
      await kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    return String(reply).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
