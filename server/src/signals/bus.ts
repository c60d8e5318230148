import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../database/address.ts'
import type { Logger } from '../observability/logger.ts'
import { isFrom, type Message, messageIn, textOf } from './codec.ts'
import { openListener } from './listener.ts'
import { openSpeaker } from './publisher.ts'
import type { Signals } from './signals.ts'

/**
 * Carries signals between the processes on one database, by its notifications. They may be lost: then
 * what the others do is found by looking again every second.
 */
export type Bus = { stop(): Promise<void> }

type Parts = { services: { signals: Signals }; address: DatabaseAddress; logger: Logger }

const provesWithinMs = 3_000
/** Another process says every ten seconds that it is there; with nobody there, nothing is told. */
const presentForMs = 35_000

/** Tells the other processes what is committed here, and hears what they tell. */
export function startBus({ services, address, logger }: Parts): Bus {
  const { signals } = services
  const id = randomUUID()
  const speaker = openSpeaker(address, id)
  let isHearing: boolean | undefined
  let somebodySeenAt = performance.now()
  let echoes = 0
  let hearEcho = () => {}

  const mayBeHeard = () => !isHearing || performance.now() - somebodySeenAt < presentForMs
  const unlisten = signals.listen((signal, origin) => {
    if (origin === 'here' && mayBeHeard()) speaker.tell(signal)
  })

  function heard(text: string): void {
    if (!isFrom(id, text)) hearAnother(messageIn(text))
    else if (text === textOf({ from: id, echo: echoes })) hearEcho()
  }

  function hearAnother(message: Message): void {
    if ('echo' in message) somebodySeenAt = performance.now()
    if ('everything' in message) signals.miss()
    if (!('signals' in message)) return
    for (const signal of message.signals) signals.tell(signal, 'elsewhere')
  }

  async function proveHearing(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    echoes += 1
    hearEcho = resolve
    const late = sleep(provesWithinMs, 'late', { ref: false })
    const said = speaker.echo(echoes).then(() => promise)
    if ((await Promise.race([said, late])) === 'late') throw new Error(deafness)
  }

  function hears(): void {
    if (isHearing) return
    if (isHearing === false) logger.info('other processes are heard at once again')
    isHearing = true
    somebodySeenAt = performance.now()
    signals.miss()
  }

  function isDeaf({ message }: Error): void {
    if (isHearing !== false) logger.warn({ reason: message }, deafText)
    isHearing = false
  }

  const { hearUntil } = signals
  const listener = openListener(address, { heard, proveHearing, hears, hearUntil, isDeaf })
  return {
    stop: () => {
      unlisten()
      listener.stop()
      return speaker.stop()
    },
  }
}

const deafness =
  'notifications do not arrive, as through a connection pooler that shares sessions (PgBouncer in transaction mode)'
const deafText = 'other processes are not heard at once, but by looking every second; trying again'

/** Only tells, and hears nothing: for a process that ends soon. */
export function tellOnly({ services, address }: Omit<Parts, 'logger'>): Bus {
  const speaker = openSpeaker(address, randomUUID())
  const unlisten = services.signals.listen((signal) => speaker.tell(signal))
  return {
    stop: () => {
      unlisten()
      return speaker.stop()
    },
  }
}
