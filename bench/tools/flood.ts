/** Sends requests at a fixed rate over many connections, however slow the answers are. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NextRequest, responseReader } from './load.ts'

type Flood = {
  port: number
  next: NextRequest
  connections: number
  perSecond: number
  seconds: number
}

/** 2xx, 503, or anything else: other answers and lost connections. */
export type Outcome = 'accepted' | 'refused' | 'faulty'

const tickMs = 5

/**
 * Latencies in milliseconds by outcome. A request without an idle connection is not sent, so the
 * rate is an upper bound.
 */
export async function flood(options: Flood): Promise<Map<Outcome, number[]>> {
  const seen = new Map<Outcome, number[]>()
  const note = (outcome: Outcome, ms: number) => {
    const all = seen.get(outcome) ?? []
    all.push(ms)
    seen.set(outcome, all)
  }
  const idle: Line[] = []
  const lines = await Promise.all(
    Array.from({ length: options.connections }, () => openLine(options.port, { idle, note })),
  )
  const begun = performance.now()
  for (let turn = 0; performance.now() - begun < options.seconds * 1000; ) {
    const owed = ((performance.now() - begun) / 1000) * options.perSecond
    while (turn < owed && idle.length > 0) idle.pop()?.send(options.next(turn++))
    turn = Math.max(turn, Math.floor(owed))
    await sleep(tickMs)
  }
  while (lines.some((line) => line.isBusy())) await sleep(tickMs)
  for (const line of lines) line.close()
  return seen
}

type Line = { send(text: string): void; isBusy(): boolean; close(): void }
type Shared = { idle: Line[]; note(outcome: Outcome, ms: number): void }

/** Reconnects when the server closes, as clients do. */
async function openLine(port: number, { idle, note }: Shared): Promise<Line> {
  let socket: Socket
  let sentAt: number | null = null
  let isOver = false

  function open(): Promise<void> {
    socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const responses = responseReader()
    const opened = new Promise<void>((resolve) => socket.once('connect', resolve))
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      const status = responses(chunk)
      if (status !== undefined)
        finish(status < 300 ? 'accepted' : status === 503 ? 'refused' : 'faulty')
    })
    socket.on('close', () => {
      if (sentAt !== null) finish('faulty')
      if (!isOver) void open()
    })
    return opened
  }

  function finish(outcome: Outcome): void {
    note(outcome, performance.now() - (sentAt ?? Number.NaN))
    sentAt = null
    idle.push(line)
  }

  const line: Line = {
    send(text) {
      sentAt = performance.now()
      socket.write(text)
    },
    isBusy: () => sentAt !== null,
    close() {
      isOver = true
      socket.destroy()
    },
  }
  await open()
  idle.push(line)
  return line
}
