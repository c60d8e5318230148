import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

/** Addresses, or texts, for the `count`-th question about a name, from 1; null for no answer. */
export type Zone = (name: string, count: number) => readonly string[] | null

export type NameServer = {
  /** `127.0.0.1:5353` */
  address: string
  /** `A hooks.test`, in order of arrival. */
  questions: string[]
  close(): void
}

const typeNames: Readonly<Record<number, string>> = { 1: 'A', 16: 'TXT', 28: 'AAAA' }

/**
 * A real DNS server on UDP: A questions get the zone's IPv4 addresses, AAAA questions the IPv6
 * ones, TXT questions its texts.
 */
export async function nameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (query, peer) => {
    const { name, type, end } = questionOf(query)
    const question = `${typeNames[type]} ${name}`
    questions.push(question)
    const found = zone(name, questions.filter((asked) => asked === question).length)
    if (found === null) return
    const bytes = type === 16 ? found.map(textBytes) : addressBytes(found, type)
    socket.send(answerTo(query.subarray(0, end), type, bytes), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const address = `127.0.0.1:${socket.address().port}`
  return { address, questions, close: () => socket.close() }
}

function addressBytes(found: readonly string[], type: number): number[][] {
  const wanted = type === 1 ? 'ipv4' : 'ipv6'
  const addresses = found.map((text) => ipaddr.parse(text))
  return addresses.filter((it) => it.kind() === wanted).map((it) => it.toByteArray())
}

/** Parts of at most 255 bytes, each with its length. */
const textBytes = (text: string): number[] => {
  const parts = text.match(/.{1,20}/g) ?? []
  return parts.flatMap((part) => [part.length, ...Buffer.from(part)])
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** A TTL of an hour, which callers must not rely on. */
const ttlSeconds = 3600

function answerTo(question: Buffer, type: number, addresses: readonly number[][]): Buffer {
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.fill(0, 8)
  const records = addresses.map((bytes) => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(ttlSeconds, 6)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, Buffer.from(bytes)])
  })
  return Buffer.concat([header, question.subarray(12), ...records])
}
