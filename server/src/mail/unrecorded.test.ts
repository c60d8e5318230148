import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type MailServer,
  mailSettings,
  openMailServer,
} from '../../test/support/machines/mail/mail-server.ts'
import { type OwnWorld, openOwnWorld } from '../../test/support/own-world.ts'
import { sendDueMails } from './send-due.ts'

let world: OwnWorld
let server: MailServer

beforeAll(async () => {
  server = await openMailServer()
  world = await openOwnWorld({ env: mailSettings(server) })
  await world.database.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'not today'; end $$`)
})
afterEach(async () => {
  await world.database.query('drop trigger if exists refuse on mails')
  await world.database.query('delete from mails')
  server.mails.length = 0
})
afterAll(async () => {
  await world.close()
  await server.close()
})

const refuse = (what: 'update' | 'delete') =>
  world.database.query(
    `create trigger refuse before ${what} on mails for each row execute function refuse()`,
  )

async function mailed(): Promise<void> {
  const { owner } = await world.organization()
  const email = `${crypto.randomUUID()}@example.com`
  await owner.post('/invitations', { email, role: 'viewer' })
}

/** As often as the service looks in some seconds. */
async function lookOften(): Promise<void> {
  for (let look = 0; look < 5; look += 1) {
    await sendDueMails(world.services, AbortSignal.timeout(10_000)).catch(() => {})
  }
}

test('an attempt that cannot be recorded is not made', async () => {
  await mailed()
  await refuse('update')
  await lookOften()
  expect(server.mails).toEqual([])
})

test('a mail that was sent and cannot be removed is not sent again before its next attempt', async () => {
  await mailed()
  await refuse('delete')
  await lookOften()
  expect(server.mails).toHaveLength(1)
  world.clock.advance(31_000)
  await lookOften()
  expect(server.mails).toHaveLength(2)
})
