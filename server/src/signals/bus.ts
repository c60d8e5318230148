import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../database/address.ts'
import type { Logger } from '../observability/logger.ts'
import { secondsSince } from '../values/times.ts'
import { decodeMessage, encode, isFrom, type Message } from './codec.ts'
import { openListener } from './listener.ts'
import { openPublisher, type Publisher } from './publisher.ts'
import type { Signals } from './signals.ts'

/**
 * Carries signals between the processes on one database, by LISTEN/NOTIFY. Notifications may be lost:
 * polling every second finds the changes of other processes too.
 */
export type Bus = { stop(): Promise<void> }

type BusDeps = { services: { signals: Signals }; address: DatabaseAddress; logger: Logger }

const echoTimeoutMs = 3_000
/** Every process sends an echo every 10 s. Without a peer, nothing is published. */
const peerTimeoutMs = 35_000

/** Publishes this process's signals to the others, and emits theirs here. */
export function startBus({ services, address, logger }: BusDeps): Bus {
  const { signals } = services
  const id = randomUUID()
  const publisher = openPublisher(address, id)
  const echoes = echoesOf(publisher, id)
  const link = loggedLink(logger)
  let peerSeenAt = performance.now()

  const mayHavePeers = () => !link.isUp() || performance.now() - peerSeenAt < peerTimeoutMs
  const unsubscribe = signals.subscribe((signal, origin) => {
    if (origin === 'here' && mayHavePeers()) publisher.publish(signal)
  })

  function onMessage(text: string): void {
    if (isFrom(id, text)) echoes.receive(text)
    else onPeerMessage(decodeMessage(text))
  }

  function onPeerMessage(message: Message): void {
    if ('echo' in message) peerSeenAt = performance.now()
    if ('everything' in message) signals.invalidateAll()
    if (!('signals' in message)) return
    for (const signal of message.signals) signals.emit(signal, 'elsewhere')
  }

  function onConnect(): void {
    if (link.isUp()) return
    link.connect()
    peerSeenAt = performance.now()
    signals.invalidateAll()
  }

  const { advanceWatermark } = signals
  const own = { onMessage, onConnect, checkEcho: echoes.check, onDisconnect: link.disconnect }
  const listener = openListener(address, { ...own, advanceWatermark })
  return {
    stop: () => {
      unsubscribe()
      listener.stop()
      return publisher.stop()
    },
  }
}

/** Whether notifications arrive; logs the beginning and the end of a time without them. */
function loggedLink(logger: Logger) {
  let state: 'new' | 'up' | 'down' = 'new'
  let downSinceMs = 0
  return {
    isUp: () => state === 'up',
    connect(): void {
      if (state === 'down') logger.info({ seconds: secondsSince(downSinceMs) }, connectedText)
      state = 'up'
    },
    disconnect(reason: string): void {
      if (state === 'down') return
      state = 'down'
      downSinceMs = performance.now()
      logger.warn({ reason }, disconnectedText)
    },
  }
}

/** The echoes of this process to itself, which show that notifications arrive. */
function echoesOf(publisher: Publisher, id: string) {
  let count = 0
  let onEcho = () => {}
  return {
    receive(text: string): void {
      if (text === encode({ from: id, echo: count })) onEcho()
    },
    async check(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      count += 1
      onEcho = resolve
      const late = sleep(echoTimeoutMs, 'late', { ref: false })
      const echoed = publisher.echo(count).then(() => promise)
      if ((await Promise.race([echoed, late])) === 'late') throw new Error(noEcho)
    },
  }
}

const noEcho =
  'notifications do not arrive, as through a connection pooler that shares sessions (PgBouncer in transaction mode)'
const connectedText = 'notifications from other processes arrive again'
const disconnectedText =
  'notifications from other processes do not arrive: polling every second instead; trying again'

/** Publishes without listening, for a short-lived process. */
export function publishOnly({ services, address }: Omit<BusDeps, 'logger'>): Bus {
  const publisher = openPublisher(address, randomUUID())
  const unsubscribe = services.signals.subscribe((signal) => publisher.publish(signal))
  return {
    stop: () => {
      unsubscribe()
      return publisher.stop()
    },
  }
}
