/** Measures a running service: memory, open files, sockets and timers. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type pg from 'pg'

export const metricsToken = 'the-metrics-token-of-the-bench'

/**
 * In MB. `stable` is the resident memory without V8's young generation, which is bounded but
 * shrinks and grows with the load, by 20 MB within a minute.
 */
export type Memory = { resident: number; stable: number; heap: number; external: number }

const youngSpaces = ['new', 'new_large_object']

export const heldKinds = [
  'files and pipes',
  'TCP sockets',
  'other sockets',
  'timers',
  'database sessions',
] as const
export type Held = Record<(typeof heldKinds)[number], number>

type Service = { port: number; pid: number }

const mb = 1024 * 1024

export async function readMemory({ port, pid }: Service): Promise<Memory> {
  const metrics = await readMetrics(port)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  const young = youngSpaces
    .map((space) => metricOf(metrics, `nodejs_heap_space_size_total_bytes{space="${space}"}`))
    .reduce((sum, bytes) => sum + bytes / mb, 0)
  return {
    resident,
    stable: resident - young,
    heap: metricOf(metrics, 'nodejs_heap_size_used_bytes') / mb,
    external: metricOf(metrics, 'nodejs_external_memory_bytes') / mb,
  }
}

const oldestDue =
  /^flightdeck_(?:due_oldest_seconds\{.*\}|deliveries_oldest_pending_seconds) (\S+)$/gm

/** Seconds for which the oldest work or delivery has been due. */
export async function readOldestDue({ port }: Service): Promise<number> {
  const found = [...(await readMetrics(port)).matchAll(oldestDue)]
  if (found.length < 2) throw new Error('/metrics says nothing of due work')
  return Math.max(...found.map(([, seconds]) => Number(seconds)))
}

const sessionsSql = `
  select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`

export async function readHeld({ port, pid }: Service, db: pg.Client): Promise<Held> {
  // Before the metrics are read, which takes a connection.
  const kinds = openFileKinds(pid)
  const timers = metricOf(await readMetrics(port), 'nodejs_active_resources{type="Timeout"}')
  const { rows } = await db.query<{ count: number }>(sessionsSql)
  const count = (kind: FileKind) => kinds.filter((each) => each === kind).length
  return {
    'files and pipes': count('files and pipes'),
    'TCP sockets': count('TCP sockets'),
    'other sockets': count('other sockets'),
    timers,
    'database sessions': rows[0]?.count ?? 0,
  }
}

export const most = (one: Held, other: Held): Held => {
  const larger = heldKinds.map((kind) => [kind, Math.max(one[kind], other[kind])])
  // The kinds are those of `Held`, each once.
  return Object.fromEntries(larger) as Held
}

export const isAtMost = (held: Held, bound: Held): boolean =>
  heldKinds.every((kind) => held[kind] <= bound[kind])

async function readMetrics(port: number): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}`, connection: 'close' }
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
  if (!reply.ok) throw new Error(`/metrics: ${reply.status}`)
  return reply.text()
}

/** 0 when the kind of resource is absent. */
function metricOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

type FileKind = 'files and pipes' | 'TCP sockets' | 'other sockets' | 'closed meanwhile'

function openFileKinds(pid: number): FileKind[] {
  const tcp = inodesOfTcp(pid)
  return readdirSync(`/proc/${pid}/fd`).map((fd) => fileKind(`/proc/${pid}/fd/${fd}`, tcp))
}

function fileKind(link: string, tcp: ReadonlySet<string>): FileKind {
  try {
    const [, inode] = /^socket:\[(\d+)\]/.exec(readlinkSync(link)) ?? []
    if (inode === undefined) return 'files and pipes'
    return tcp.has(inode) ? 'TCP sockets' : 'other sockets'
  } catch {
    return 'closed meanwhile'
  }
}

/** A socket link shows only its inode; these tables say which are TCP. */
function inodesOfTcp(pid: number): Set<string> {
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8'))
  const lines = tables.flatMap((table) => table.trim().split('\n').slice(1))
  return new Set(lines.map((line) => line.trim().split(/\s+/)[9] ?? ''))
}
