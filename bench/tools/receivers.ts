import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export type Receiver = {
  url: string
  /** Arrival times by webhook-id since the last call. */
  take(): Promise<Record<string, number>>
  count(): Promise<number>
  stop(): void
}

export async function startReceiver(...flags: string[]): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiver.ts'), flags)
  const { port } = await messageOf<{ port: number }>(child)
  const ask = <T>(question: string): Promise<T> => {
    const answer = messageOf<T>(child)
    child.send(question)
    return answer
  }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    take: async () => (await ask<{ arrivals: Record<string, number> }>('take')).arrivals,
    count: async () => (await ask<{ count: number }>('count')).count,
    stop: () => child.disconnect(),
  }
}

const messageOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as T)))
