import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../database/address.ts'
import type { Logger } from '../observability/logger.ts'
import { decodeMessage, encode, isFrom, type Message } from './codec.ts'
import { openListener } from './listener.ts'
import { openPublisher } from './publisher.ts'
import type { Signals } from './signals.ts'

/**
 * Carries signals between the processes on one database, by LISTEN/NOTIFY. Notifications may be lost:
 * polling every second finds the changes of other processes too.
 */
export type Bus = { stop(): Promise<void> }

type Parts = { services: { signals: Signals }; address: DatabaseAddress; logger: Logger }

const echoTimeoutMs = 3_000
/** Every process sends an echo every 10 s. Without a peer, nothing is published. */
const peerTimeoutMs = 35_000

/** Publishes this process's signals to the others, and emits theirs here. */
export function startBus({ services, address, logger }: Parts): Bus {
  const { signals } = services
  const id = randomUUID()
  const publisher = openPublisher(address, id)
  let isConnected: boolean | undefined
  let peerSeenAt = performance.now()
  let echoes = 0
  let onEcho = () => {}

  const mayHavePeers = () => !isConnected || performance.now() - peerSeenAt < peerTimeoutMs
  const unsubscribe = signals.subscribe((signal, origin) => {
    if (origin === 'here' && mayHavePeers()) publisher.publish(signal)
  })

  function onMessage(text: string): void {
    if (!isFrom(id, text)) onPeerMessage(decodeMessage(text))
    else if (text === encode({ from: id, echo: echoes })) onEcho()
  }

  function onPeerMessage(message: Message): void {
    if ('echo' in message) peerSeenAt = performance.now()
    if ('everything' in message) signals.invalidateAll()
    if (!('signals' in message)) return
    for (const signal of message.signals) signals.emit(signal, 'elsewhere')
  }

  async function checkEcho(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    echoes += 1
    onEcho = resolve
    const late = sleep(echoTimeoutMs, 'late', { ref: false })
    const echoed = publisher.echo(echoes).then(() => promise)
    if ((await Promise.race([echoed, late])) === 'late') throw new Error(noEcho)
  }

  function onConnect(): void {
    if (isConnected) return
    if (isConnected === false) logger.info('notifications from other processes arrive again')
    isConnected = true
    peerSeenAt = performance.now()
    signals.invalidateAll()
  }

  function onDisconnect({ message }: Error): void {
    if (isConnected !== false) logger.warn({ reason: message }, disconnectedText)
    isConnected = false
  }

  const { advanceWatermark } = signals
  const events = { onMessage, checkEcho, onConnect, advanceWatermark, onDisconnect }
  const listener = openListener(address, events)
  return {
    stop: () => {
      unsubscribe()
      listener.stop()
      return publisher.stop()
    },
  }
}

const noEcho =
  'notifications do not arrive, as through a connection pooler that shares sessions (PgBouncer in transaction mode)'
const disconnectedText =
  'notifications from other processes do not arrive: polling every second instead; trying again'

/** Publishes without listening, for a short-lived process. */
export function publishOnly({ services, address }: Omit<Parts, 'logger'>): Bus {
  const publisher = openPublisher(address, randomUUID())
  const unsubscribe = services.signals.subscribe((signal) => publisher.publish(signal))
  return {
    stop: () => {
      unsubscribe()
      return publisher.stop()
    },
  }
}
