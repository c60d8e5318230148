import { setTimeout as sleep } from 'node:timers/promises'
import type { Cipher } from '../../crypto/cipher.ts'
import type { Database } from '../../database/database.ts'
import { isSecret, liveProcesses, type RegisteredProcess } from '../../process/registry.ts'
import { CommandError } from '../command.ts'

const withinMs = 30_000
const everyMs = 250

/** Waits until this is so of every live process of the service. */
export async function allProcesses(
  database: Database,
  what: string,
  isSo: (process: RegisteredProcess) => boolean,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const others = (await liveProcesses(database)).filter((process) => !isSo(process))
    if (others.length === 0) return
    if (performance.now() > giveUpAt) {
      throw new CommandError(
        `These processes do not ${what} yet: ${others.map(nameOf).join(', ')}. Stop them, or bring them to this version, and run this again: until then both keys work.`,
      )
    }
    await sleep(everyMs)
  }
}

type GivenKey = { cipher: Cipher; masterKey: string }

/** The names of the live processes that were started with this master key. */
export async function startedWith(
  database: Database,
  { cipher, masterKey: text }: GivenKey,
): Promise<string[]> {
  const all = await liveProcesses(database)
  const isOf = ({ settings: { MASTER_KEY: setting } }: RegisteredProcess) =>
    setting !== undefined &&
    'digest' in setting &&
    setting.digest !== null &&
    isSecret(cipher, 'MASTER_KEY', { text, digest: setting.digest })
  return all.filter(isOf).map(nameOf)
}

const nameOf = ({ pid, host, version }: RegisteredProcess) => `pid ${pid} on ${host} (${version})`
