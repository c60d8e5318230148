import { type IncomingMessage, request } from 'node:http'
import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { responseTo } from './response.ts'

/** The part of the response received so far. */
export type ProbeResponse = { status: number | null; latencyMs: number | null; chunks: Buffer[] }

export const noResponse = (): ProbeResponse => ({ status: null, latencyMs: null, chunks: [] })

type ProbeRequest = { path: string; headers: Record<string, string> }

const maxReadBytes = 16_384

/**
 * Sends one request and records the response into `answer` as it arrives; reads a bounded part of
 * the body.
 */
export async function sendRequest(
  line: Socket,
  { path, headers }: ProbeRequest,
  { answer, began }: { answer: ProbeResponse; began: number },
): Promise<void> {
  const clientRequest = request({
    createConnection: () => line,
    path,
    headers: {
      'user-agent': 'flightdeck-proxy-check',
      accept: '*/*',
      'accept-encoding': 'identity',
      ...headers,
    },
  })
  clientRequest.on('error', () => {})
  clientRequest.end()
  const response = await responseTo(clientRequest, 'response')
  answer.latencyMs = Math.round(performance.now() - began)
  answer.status = response.statusCode ?? null
  // The proxy works even if the rest of the response never arrives.
  await readBody(response, answer.chunks).catch(() => {})
}

async function readBody(response: IncomingMessage, chunks: Buffer[]): Promise<void> {
  let size = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxReadBytes) break
  }
}

/** The client address reported by an echo service: the whole text, or `ip` or `origin` of JSON. */
export function reportedAddress({ chunks }: ProbeResponse): string | null {
  const body = Buffer.concat(chunks).toString('utf8').trim()
  // Proxies append addresses: the last is the one the service saw.
  const last = reported(body).split(',').at(-1)?.trim() ?? ''
  return isIP(last) === 0 || last.includes('%') ? null : ipaddr.process(last).toString()
}

function reported(body: string): string {
  if (!body.startsWith('{')) return body
  const { ip, origin } = fieldsOf(body)
  return [ip, origin].find((field) => typeof field === 'string') ?? ''
}

function fieldsOf(json: string): { ip?: string; origin?: string } {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}
