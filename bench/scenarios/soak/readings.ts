import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Running } from '../../tools/processes.ts'
import { heldKinds, readHeld, readMemory, readOldestDue } from '../../tools/vitals.ts'
import type { Reading } from './report.ts'
import { comparedMinute, type Run, type State } from './steady.ts'
import { readTables, type Table, withCopies } from './tables.ts'

const readEveryMs = 5_000

type Bench = { service: Running; db: pg.Client; load: { served(): number } }
type Read = Pick<Run, 'states' | 'tables'> & { readings: Reading[] }

export async function readFor(minutes: number, bench: Bench): Promise<Read> {
  const [readings, states]: [Reading[], State[]] = [[], []]
  const begun = performance.now()
  const passed = () => (performance.now() - begun) / 60_000
  let fifth: Table[] | null = null
  while (passed() < minutes) {
    const next = await readOnce(passed(), bench)
    readings.push(next.reading)
    states.push(next.state)
    if (passed() >= comparedMinute) fifth ??= await readTables(bench.db)
    await sleep(readEveryMs)
  }
  states.push((await readOnce(passed(), bench)).state)
  if (minutes <= comparedMinute || !fifth) return { readings, states, tables: null }
  const last = await withCopies(bench.db, fifth, await readTables(bench.db))
  return { readings, states, tables: { fifth, last } }
}

async function readOnce(minute: number, { service, db, load }: Bench) {
  const served = load.served()
  const memory = await readMemory(service)
  const held = await readHeld(service, db)
  const files = heldKinds.filter((kind) => kind !== 'timers' && kind !== 'database sessions')
  const state: State = {
    minute,
    served,
    memory: memory.stable,
    descriptors: files.reduce((sum, kind) => sum + held[kind], 0),
    connections: held['database sessions'],
    oldestDue: await readOldestDue(service),
  }
  return { reading: { minute, memory }, state }
}
