import { pause } from '../concurrency/wait.ts'
import type { SingletonTask } from '../jobs/job.ts'
import { nowText, type Services } from '../kernel/context.ts'
import type { Counter } from '../limits/counters/counter.ts'
import { privateCounter } from '../limits/counters/private-counter.ts'
import { openMail } from './post.ts'
import { connections, MailRefused, openTransport, type Transport } from './transport.ts'

/** Sends the mails of all organizations. */
export const mailSending: SingletonTask = {
  name: 'mails.send',
  everyMs: 1_000,
  work: [{ name: 'mails', dueSince: 'select min(due_at) from mails' }],
  run: sendDueMails,
}

const keptMs = 24 * 60 * 60 * 1_000
const [firstWaitSeconds, longestWaitSeconds] = [30, 3_600]
const limitOfAddress = { limit: 20 }
/** Leaves room for mails that people wait for, such as one for a new password. */
const limitOfWaiting = { limit: 12 }

/** Between mails that can wait: ten thousand of them slow down no request, and no mail server. */
const calmMs = 200

type WaitingMail = {
  organization_id: string
  id: string
  content: string
  attempts: number
  created_at: string
  can_wait: boolean
}

const dueSql = `
  select organization_id, id, content, attempts, created_at, can_wait from mails
  where due_at <= $1 order by can_wait, due_at limit $2`
const removeSql = 'delete from mails where organization_id = $1 and id = $2'
const laterSql = `
  update mails set attempts = $3, due_at = $4 where organization_id = $1 and id = $2`

export async function sendDueMails(services: Services, signal: AbortSignal): Promise<void> {
  const sender = senderWith(services)
  try {
    for (let goesOn = true; goesOn && !signal.aborted; ) {
      const parameters = [nowText(services), connections]
      const found = await services.database.reader.query<WaitingMail>({
        sql: dueSql,
        parameters,
        ofAll: true,
      })
      const isCalm = found.every(({ can_wait }) => can_wait)
      // Shards that are asked one by one answer as many each.
      const due = found.slice(0, isCalm ? 1 : connections)
      const outcomes = await Promise.all(due.map((each) => sender.handle(each)))
      // While the server fails, each poll tries only a few.
      goesOn = outcomes.some((outcome) => outcome !== 'failed')
      if (isCalm && outcomes.includes('done')) await pause(calmMs, signal)
    }
  } finally {
    await sender.close()
  }
}

/** `held`: its address has had its mails of the hour. */
type Outcome = 'done' | 'held' | 'failed'

function senderWith(services: Services) {
  const { config, crypto, clock } = services
  let opened: Promise<Transport> | undefined
  const perAddress = privateCounter(services, { name: 'mails', seconds: 3_600 })
  const handle = async (waiting: WaitingMail): Promise<Outcome> => {
    const isOld = clock.now().getTime() - Date.parse(waiting.created_at) > keptMs
    if (isOld || !config.mail) return remove(services, waiting)
    opened ??= openTransport(config.mail)
    try {
      return await attempt(opened, waiting)
    } catch (error) {
      // One that cannot be opened or sent keeps no other from being sent.
      services.observability.failures.note('mail', error)
      return error instanceof MailRefused && error.isFinal ? remove(services, waiting) : 'failed'
    }
  }
  const attempt = async (opening: Promise<Transport>, waiting: WaitingMail): Promise<Outcome> => {
    // Recorded before it is made: one whose outcome cannot be stored is not made again at once.
    await postpone(services, { ...waiting, attempts: waiting.attempts + 1 })
    const [mail, transport] = [openMail(crypto.cipher, waiting), await opening]
    const place = await placeFor(perAddress, mail.to, waiting.can_wait)
    if (place.waitMs > 0) {
      await postpone(services, waiting, place.waitMs)
      return 'held'
    }
    try {
      await transport.send(mail, waiting.id)
    } catch (error) {
      await place.giveBack()
      throw error
    }
    return remove(services, waiting)
  }
  return { handle, close: async () => (await opened)?.close() }
}

/** A place among the mails of an hour to one address. */
async function placeFor(perAddress: Counter, key: string, canWait: boolean) {
  const most = canWait ? limitOfWaiting : limitOfAddress
  const { used, msLeft } = await perAddress.take(key, most)
  const isOver = used > most.limit
  return { waitMs: isOver ? Math.max(1_000, msLeft) : 0, giveBack: () => perAddress.giveBack(key) }
}

async function remove(
  { database }: Services,
  { organization_id, id }: WaitingMail,
): Promise<Outcome> {
  const statement = { sql: removeSql, parameters: [organization_id, id] }
  await database.transaction(async (tx) => tx.send(statement))
  return 'done'
}

async function postpone(
  { database, clock }: Services,
  { organization_id, id, attempts }: WaitingMail,
  waitMs = Math.min(firstWaitSeconds * 2 ** Math.max(0, attempts - 1), longestWaitSeconds) * 1_000,
): Promise<void> {
  const due = new Date(clock.now().getTime() + waitMs).toISOString()
  const statement = { sql: laterSql, parameters: [organization_id, id, attempts, due] }
  await database.transaction(async (tx) => tx.send(statement))
}
