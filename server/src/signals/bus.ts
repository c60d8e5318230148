import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../database/address.ts'
import type { Logger } from '../observability/logger.ts'
import { decodeMessage, encode, isFrom, type Message } from './codec.ts'
import { openListener } from './listener.ts'
import { openPublisher } from './publisher.ts'
import type { Signals } from './signals.ts'

/**
 * Carries signals between the processes on one database, by its notifications. They may be lost: then
 * what the others do is found by looking again every second.
 */
export type Bus = { stop(): Promise<void> }

type Parts = { services: { signals: Signals }; address: DatabaseAddress; logger: Logger }

const proofTimeoutMs = 3_000
/** Another process says every ten seconds that it is there; with nobody there, nothing is told. */
const peerTimeoutMs = 35_000

/** Tells the other processes what is committed here, and hears what they tell. */
export function startBus({ services, address, logger }: Parts): Bus {
  const { signals } = services
  const id = randomUUID()
  const speaker = openPublisher(address, id)
  let isHearing: boolean | undefined
  let somebodySeenAt = performance.now()
  let echoes = 0
  let hearEcho = () => {}

  const mayBeHeard = () => !isHearing || performance.now() - somebodySeenAt < peerTimeoutMs
  const unlisten = signals.subscribe((signal, origin) => {
    if (origin === 'here' && mayBeHeard()) speaker.publish(signal)
  })

  function heard(text: string): void {
    if (!isFrom(id, text)) hearAnother(decodeMessage(text))
    else if (text === encode({ from: id, echo: echoes })) hearEcho()
  }

  function hearAnother(message: Message): void {
    if ('echo' in message) somebodySeenAt = performance.now()
    if ('everything' in message) signals.invalidateAll()
    if (!('signals' in message)) return
    for (const signal of message.signals) signals.emit(signal, 'elsewhere')
  }

  async function proveHearing(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    echoes += 1
    hearEcho = resolve
    const late = sleep(proofTimeoutMs, 'late', { ref: false })
    const said = speaker.echo(echoes).then(() => promise)
    if ((await Promise.race([said, late])) === 'late') throw new Error(notListening)
  }

  function hears(): void {
    if (isHearing) return
    if (isHearing === false) logger.info('other processes are heard at once again')
    isHearing = true
    somebodySeenAt = performance.now()
    signals.invalidateAll()
  }

  function isDeaf({ message }: Error): void {
    if (isHearing !== false) logger.warn({ reason: message }, notListeningText)
    isHearing = false
  }

  const { advanceWatermark: hearUntil } = signals
  const listener = openListener(address, {
    onMessage: heard,
    proveHearing,
    onConnect: hears,
    hearUntil,
    onDisconnect: isDeaf,
  })
  return {
    stop: () => {
      unlisten()
      listener.stop()
      return speaker.stop()
    },
  }
}

const notListening =
  'notifications do not arrive, as through a connection pooler that shares sessions (PgBouncer in transaction mode)'
const notListeningText =
  'other processes are not heard at once, but by looking every second; trying again'

/** Only tells, and hears nothing: for a process that ends soon. */
export function publishOnly({ services, address }: Omit<Parts, 'logger'>): Bus {
  const speaker = openPublisher(address, randomUUID())
  const unlisten = services.signals.subscribe((signal) => speaker.publish(signal))
  return {
    stop: () => {
      unlisten()
      return speaker.stop()
    },
  }
}
