/** Requests at a fixed rate, however slow the answers: over connections that carry one at a time. */
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

/** 2xx, 503, or anything else: other answers, and connections that were lost. */
export type Fate = 'accepted' | 'refused' | 'faulty'

const tickMs = 5

/** Latencies in milliseconds by fate. What finds no idle connection is not sent: the rate is an upper bound. */
export async function flood(wish: Flood): Promise<Map<Fate, number[]>> {
  const seen = new Map<Fate, number[]>()
  const note = (fate: Fate, ms: number) => {
    const all = seen.get(fate) ?? []
    all.push(ms)
    seen.set(fate, all)
  }
  const idle: Line[] = []
  const lines = await Promise.all(
    Array.from({ length: wish.connections }, () => openLine(wish.port, { idle, note })),
  )
  const begun = performance.now()
  for (let turn = 0; performance.now() - begun < wish.seconds * 1000; ) {
    const owed = ((performance.now() - begun) / 1000) * wish.perSecond
    while (turn < owed && idle.length > 0) idle.pop()?.send(wish.next(turn++))
    turn = Math.max(turn, Math.floor(owed))
    await sleep(tickMs)
  }
  while (lines.some((line) => line.isBusy())) await sleep(tickMs)
  for (const line of lines) line.close()
  return seen
}

type Line = { send(text: string): void; isBusy(): boolean; close(): void }
type Ledger = { idle: Line[]; note(fate: Fate, ms: number): void }

/** A connection that the server closes is opened again, as clients do. */
async function openLine(port: number, { idle, note }: Ledger): Promise<Line> {
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
        settle(status < 300 ? 'accepted' : status === 503 ? 'refused' : 'faulty')
    })
    socket.on('close', () => {
      if (sentAt !== null) settle('faulty')
      if (!isOver) void open()
    })
    return opened
  }

  function settle(fate: Fate): void {
    note(fate, performance.now() - (sentAt ?? Number.NaN))
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
