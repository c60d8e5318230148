import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that arrived. */
export type Received = {
  path: string
  headers: Record<string, string>
  body: string
  at: number
}

export type Receiver = {
  url: string
  received: Received[]
  /** Sets its answers: the n-th request gets the n-th answer, and the last one is repeated. */
  answer(...answers: Answer[]): void
  /** Resolves once this many requests have arrived. */
  arrived(count: number, withinMs?: number): Promise<Received[]>
  close(): Promise<void>
}

type Answer = number | ((request: Received, response: ServerResponse) => void)

/** A real HTTP server, as a subscriber runs it. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let answers: Answer[] = [200]
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const got = await readWhole(request)
    received.push(got)
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200
    if (typeof answer === 'number') response.writeHead(answer).end()
    else answer(got, response)
    for (const check of waiting) check()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (...given) => {
      answers = given
    },
    arrived: (count, withinMs = 20_000) =>
      new Promise((resolve, reject) => {
        const fail = () => {
          waiting.delete(check)
          reject(new Error(`${received.length} of ${count} requests arrived in ${withinMs} ms`))
        }
        const timer = setTimeout(fail, withinMs)
        function check(): void {
          if (received.length < count) return
          clearTimeout(timer)
          waiting.delete(check)
          resolve(received)
        }
        waiting.add(check)
        check()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A receiver that closes when the test has finished. */
export async function receiverForTest(): Promise<Receiver> {
  const receiver = await openReceiver()
  onTestFinished(receiver.close)
  return receiver
}

async function readWhole(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return {
    path: request.url ?? '',
    headers: request.headers as Record<string, string>,
    body: Buffer.concat(chunks).toString('utf8'),
    at: performance.now(),
  }
}
