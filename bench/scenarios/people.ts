/**
 * `npm run bench -- people`: logins with a second factor beside those without, how late notifications
 * come, and what mails that wait cost other requests.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import pg from 'pg'
import { readConfig } from '../../server/src/config/config.ts'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { mailStatement } from '../../server/src/mail/post.ts'
import { openServices } from '../../server/src/services.ts'
import { timeCode } from '../../server/test/support/clients/second-factor.ts'
import { mailSettings } from '../../server/test/support/machines/mail/mail-server.ts'
import { paceFor, quantile } from '../tools/paced.ts'
import { startService } from '../tools/processes.ts'
import { startReceiver } from '../tools/receivers.ts'
import { factLines, median } from '../tools/table.ts'
import { spreadOf } from '../tools/turns.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_111
const url = `http://127.0.0.1:${port}`
const login = { email: 'bench@example.com', password: 'correct horse battery staple' }
/** Each logs in once: a time code is used once. */
const people = isQuick ? 3 : 60
const notices = isQuick ? 3 : 30
const waiting = isQuick ? 50 : 10_000
const turns = isQuick ? 2 : 10
const reading = { perSecond: 100, seconds: isQuick ? 1 : 12 }

type Fact = readonly [string, string]

export async function benchPeople(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const server = await startMailServer()
  const env = {
    FLIGHTDECK_ADMIN_EMAIL: login.email,
    FLIGHTDECK_ADMIN_PASSWORD: login.password,
    ...mailSettings(server),
  }
  const dataDir = join(folder, 'data')
  const service = await startService(dataDir, port, { env })
  try {
    const owner = createFlightdeck({ baseUrl: `${url}/api/v1`, login })
    const facts = [
      ...(await logins(owner)),
      await notified(owner),
      await besideMails(owner, { dataDir, env }),
    ]
    console.log(`${cpus().length} cores, Node ${process.versions.node}\n`)
    console.log(factLines(facts).join('\n'))
  } finally {
    await service.stop()
    server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startMailServer() {
  const child = fork(join(import.meta.dirname, '../tools/mail-server.ts'))
  const [message] = await once(child, 'message')
  return { url: (message as { url: string }).url, stop: () => child.disconnect() }
}

const anonymous = createFlightdeck({ baseUrl: `${url}/api/v1`, token: 'none' })

type LoggedIn = { token: string }

async function logIn(body: { email: string; password: string; otp?: string }) {
  const begun = performance.now()
  const { token } = await anonymous.request<LoggedIn>('POST', '/auth/login', { body })
  return { ms: performance.now() - begun, token }
}

async function logins(owner: Flightdeck): Promise<Fact[]> {
  const { password } = login
  const secrets = new Map<string, string>()
  for (let n = 0; n < people; n += 1) {
    const email = `person-${n}@example.com`
    await owner.members.create({ email, name: `Person ${n}`, role: 'viewer', password })
    const { token } = await logIn({ email, password })
    const client = createFlightdeck({ baseUrl: `${url}/api/v1`, token })
    const { id, secret } = await client.auth.addFactor({ kind: 'totp', name: 'Phone' })
    await client.auth.verifyFactor(id, { otp: timeCode(String(secret), new Date(), -1) })
    secrets.set(email, String(secret))
  }
  const [plain, guarded]: [number[], number[]] = [[], []]
  for (const [email, secret] of secrets) {
    plain.push((await logIn(login)).ms)
    guarded.push((await logIn({ email, password, otp: timeCode(secret, new Date()) })).ms)
  }
  return [0.5, 0.9].map((share): Fact => {
    const [without, withFactor] = [quantile(plain, share), quantile(guarded, share)]
    const texts = `${without.toFixed(1)} ms · ${withFactor.toFixed(1)} ms`
    const what = `login without · with a second factor, ${people} each in turns, p${100 * share}`
    return [what, `${texts} (${(withFactor / without).toFixed(2)} ×)`]
  })
}

/** From the answer of the change to the inbox of another person, and to a channel of the organization. */
async function notified(owner: Flightdeck): Promise<Fact> {
  const { password } = login
  const email = 'admin@example.com'
  await owner.members.create({ email, name: 'Admin', role: 'admin', password })
  const { token } = await logIn({ email, password })
  const admin = createFlightdeck({ baseUrl: `${url}/api/v1`, token })
  const receiver = await startReceiver()
  await owner.notificationChannels.create({
    ...{ kind: 'webhook', name: 'Bench', target: receiver.url, events: ['api_key.created'] },
  })
  const [inbox, channel]: [number[], number[]] = [[], []]
  for (let n = 0; n < notices; n += 1) {
    const { id } = await admin.apiKeys.create({ name: `Key ${n}`, role: 'viewer' })
    const begun = performance.now()
    const shown = async () => {
      const { data } = await owner.notifications.list({ limit: 5 })
      return data.some(({ object }) => object.id === id)
    }
    const [inboxMs, channelMs] = await Promise.all([
      msUntil(begun, shown),
      msUntil(begun, async () => (await receiver.count()) > n),
    ])
    inbox.push(inboxMs)
    channel.push(channelMs)
  }
  receiver.stop()
  const text = (times: number[]) =>
    `${Math.round(quantile(times, 0.5))} · ${Math.round(Math.max(...times))} ms`
  return [
    `a change to the inbox of another, to a webhook channel, ${notices} times: p50 · longest`,
    `${text(inbox)}; ${text(channel)}`,
  ]
}

async function msUntil(begun: number, isSo: () => Promise<boolean>): Promise<number> {
  while (!(await isSo())) {
    if (performance.now() - begun > 20_000) throw new Error('it was not notified within 20 s')
    await sleep(20)
  }
  return performance.now() - begun
}

type Place = { dataDir: string; env: Record<string, string> }

/**
 * The same reads in turns, while mails wait and are sent and while none do: each turn is compared with
 * the two around it, as machines drift. Those without, compared the same way, show what is chance.
 */
async function besideMails(owner: Flightdeck, place: Place): Promise<Fact> {
  const address = await findRunningEmbedded(place.dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const db = new pg.Client(address)
  await db.connect()
  try {
    const { organization } = await owner.auth.me()
    await post(address, { place, organizationId: organization.id })
    await db.query('create table kept_mails as select * from mails')
    const { alone, beside, sent } = await turnsOf(db)
    const effect = spreadOf(beside, alone, alone.slice(1))
    const chance = spreadOf(alone.slice(1, -1), alone, alone.slice(2))
    return [
      `p99 of a read, ${reading.perSecond}/s, alone · beside ${waiting} waiting mails (${sent} sent meanwhile), medians of ${turns} turns`,
      `${median(alone).toFixed(2)} ms · ${median(beside).toFixed(2)} ms (${effect}; by chance ${chance})`,
    ]
  } finally {
    await db.end()
  }
}

const restMs = 2_000
const columns = 'organization_id, id, content, attempts, due_at, created_at, can_wait'
const sentSql = `
  select (select count(*) from kept_mails)::int - (select count(*) from mails)::int as sent`
const fillSql = `insert into mails (${columns}) select ${columns} from kept_mails`

async function turnsOf(db: pg.Client) {
  const { token } = await logIn(login)
  const path = '/api/v1/members?limit=1'
  const [alone, beside]: [number[], number[]] = [[], []]
  let sent = 0
  const p99 = async (): Promise<number> => {
    await sleep(restMs)
    return quantile(await paceFor(reading.seconds, pacing(path, token)), 0.99)
  }
  await db.query('truncate mails')
  await p99()
  for (let turn = 0; turn < turns; turn += 1) {
    alone.push(await p99())
    await db.query(fillSql)
    beside.push(await p99())
    const { rows } = await db.query(sentSql)
    sent += rows[0].sent
    await db.query('truncate mails')
  }
  alone.push(await p99())
  return { alone, beside, sent }
}

const pacing = (path: string, token: string) => ({
  perSecond: reading.perSecond,
  next: () => ({ port, path, token }),
})

type Posting = { place: Place; organizationId: string }

/** Puts the mails into the queue, each to an address of its own, as an address gets 20 an hour. */
async function post(address: DatabaseAddress, { place, organizationId }: Posting): Promise<void> {
  const { dataDir, env } = place
  const config = readConfig({ FLIGHTDECK_DATA_DIR: dataDir, ...env })
  const services = await openServices(config, address)
  const letter = {
    subject: 'A report',
    lines: ['Acme sends you a report.'],
    link: { name: 'Open the report', url: 'https://flightdeck.example.com/r/1' },
    remarks: [],
  }
  const organization = { id: organizationId } as Parameters<typeof mailStatement>[0]['organization']
  try {
    await services.database.transaction(async (tx) => {
      for (let n = 0; n < waiting; n += 1) {
        const mail = { to: `reader-${n}@example.com`, letter }
        tx.send(mailStatement({ services, organization }, mail, { canWait: true }))
      }
    })
  } finally {
    await services.database.close()
  }
}
