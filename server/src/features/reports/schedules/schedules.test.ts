import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { notifyNow } from '../../../../test/support/cases/people/notification-cases.ts'
import { made } from '../../../../test/support/cases/writes.ts'
import {
  type MailServer,
  mailSettings,
  openMailServer,
} from '../../../../test/support/machines/mail/mail-server.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { portfolio, scopedMember } from '../../../../test/support/scoped.ts'
import {
  type Client,
  faultsOf,
  type TestOrganization,
  unlimited,
} from '../../../../test/support/world.ts'
import { sendDueMails } from '../../../mail/send-due.ts'
import { sendDueReports } from './due.ts'

let world: OwnWorld
let server: MailServer

beforeAll(async () => {
  server = await openMailServer()
  world = await openOwnWorld({ env: { ...unlimited, ...mailSettings(server) } })
})
afterEach(async () => {
  server.mails.length = 0
  Object.assign(world.services, { config: world.config })
  await world.database.query('delete from mails')
  await world.database.query('delete from report_schedules')
})
afterAll(async () => {
  await world.close()
  await server.close()
})

const anHour = AbortSignal.timeout(3_600_000)
const runDue = () => sendDueReports(world.services, anHour)
const sendMails = () => sendDueMails(world.services, anHour)
const withoutMail = () =>
  void Object.assign(world.services, { config: { ...world.config, mail: null } })

const weekly = { every: 'week', day: 1, hour: 8, recipients: ['Grace@Example.com'] }

/** A report of a client, and its schedule. */
async function scheduled(
  organization: TestOrganization,
  { by = organization.owner, fields = {} }: { by?: Client; fields?: object } = {},
) {
  const { owner } = organization
  const client_id = await made(owner, '/clients', { name: 'Northwind', time_zone: 'Europe/Berlin' })
  const id = await made(owner, '/reports', { name: 'Results', client_id, period: 'last_month' })
  const reply = await by.post(`/reports/${id}/schedules`, { ...weekly, ...fields })
  expect([reply.statusCode, reply.body]).toEqual([201, reply.body])
  const schedule = reply.json()
  return { id, client_id, schedule, path: `/reports/${id}/schedules/${schedule.id}` }
}

/** As the database has it: sessions do not outlive the days that pass here. */
async function stored(id: string) {
  const [row] = await world.database.query<Record<string, unknown>>(
    `select status, disabled_reason, next_at, last_sent_at, last_error, created_by, time_zone
     from report_schedules where id = '${id}'`,
  )
  return row
}

const rowsAbout = (table: string, reportId: string) =>
  world.database.query<Record<string, unknown>>(
    `select * from ${table} where report_id = '${reportId}'`,
  )

const waiting = async () => (await world.database.query('select id from mails')).length

async function passTo(time: unknown): Promise<void> {
  world.clock.advance(Date.parse(String(time)) - world.clock.now().getTime())
}

const week = 7 * 86_400_000

describe('a schedule', () => {
  test('is made, read, changed and removed', async () => {
    const organization = await world.organization()
    const editor = await organization.as('editor')
    const { id, path, schedule } = await scheduled(organization, { by: editor })
    expect(schedule).toMatchObject({
      ...{ report_id: id, name: 'Results', every: 'week', day: 1, hour: 8 },
      ...{ time_zone: 'Europe/Berlin', recipients: ['grace@example.com'], link_days: 30 },
      ...{ status: 'enabled', disabled_reason: null, last_sent_at: null, last_error: null },
      ...{ version: 1, created_by: editor.userId },
    })
    const due = Temporal.Instant.from(schedule.next_at).toZonedDateTimeISO('Europe/Berlin')
    expect([due.dayOfWeek, due.hour, due.minute]).toEqual([1, 8, 0])
    expect((await editor.get(path)).json()).toEqual(schedule)
    expect((await editor.get(`/reports/${id}/schedules`)).json().data).toEqual([schedule])

    const changes = { every: 'month', day: 15, recipients: ['a@example.com', 'b@example.com'] }
    const changed = (await editor.patch(path, changes)).json()
    expect(changed).toMatchObject({ ...changes, version: 2 })
    expect(changed.next_at).not.toBe(schedule.next_at)
    const off = (await editor.patch(path, { status: 'disabled' })).json()
    expect(off).toMatchObject({ next_at: null, disabled_reason: 'manual' })
    const admin = await organization.as('admin')
    const on = (await admin.patch(path, { status: 'enabled' })).json()
    expect(on).toMatchObject({
      ...{ next_at: changed.next_at, disabled_reason: null, created_by: admin.userId },
    })
    expect((await admin.delete(path)).statusCode).toBe(204)
    expect((await admin.get(path)).statusCode).toBe(404)
  })

  test('is refused with every fault', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, path } = await scheduled(organization)
    const refusals: [object, string[]][] = [
      [{ day: 8 }, ['/day out_of_range']],
      [{ every: 'month', day: 32 }, ['/day out_of_range']],
      [{ every: 'day', hour: 24 }, ['/every invalid_enum_value', '/hour out_of_range']],
      [{ link_days: 367 }, ['/link_days out_of_range']],
      [{ recipients: [] }, ['/recipients too_short']],
      [{ recipients: ['a@example.com', 'A@example.com'] }, ['/recipients/1 duplicate_item']],
      [{ recipients: ['a@example.com\r\nBcc: b@example.com'] }, ['/recipients/0 invalid_format']],
      [{ recipients: ['Ann <a@example.com>'] }, ['/recipients/0 invalid_format']],
      [{ recipients: ['a@example.com,b@example.com'] }, ['/recipients/0 invalid_format']],
      [{ status: 'disabled' }, ['/status read_only_field']],
    ]
    for (const [fields, faults] of refusals) {
      const reply = await owner.post(`/reports/${id}/schedules`, { ...weekly, ...fields })
      expect([reply.statusCode, faultsOf(reply)]).toEqual([422, faults])
    }
    const many = Array.from({ length: 21 }, (_, at) => `p${at}@example.com`)
    const reply = await owner.patch(path, { recipients: many, day: 31, next_at: 'now' })
    expect(reply.statusCode).toBe(422)
    expect(faultsOf(await owner.patch(path, { day: 31 }))).toEqual(['/day out_of_range'])
    const second = await made(owner, '/reports', { name: 'Other', period: 'last_month' })
    const other = await made(owner, `/reports/${second}/schedules`, weekly)
    expect((await owner.get(`/reports/${id}/schedules/${other}`)).statusCode).toBe(404)
  })

  test('is one of at most ten, and needs a mail server', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, path } = await scheduled(organization)
    for (let at = 0; at < 9; at += 1) await made(owner, `/reports/${id}/schedules`, weekly)
    const over = await owner.post(`/reports/${id}/schedules`, weekly)
    expect([over.statusCode, over.json().code]).toEqual([409, 'limit_exceeded'])
    await owner.patch(path, { status: 'disabled' })
    withoutMail()
    for (const reply of [
      await owner.post(`/reports/${id}/schedules`, weekly),
      await owner.post(`${path}/send`),
      await owner.patch(path, { status: 'enabled' }),
    ])
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'mail_not_configured'])
    expect((await owner.patch(path, { hour: 9 })).statusCode).toBe(200)
  })

  test('is for editors within their scope', async () => {
    const organization = await world.organization()
    const { client_id } = await portfolio(world, organization, 'Contoso')
    const { id, path } = await scheduled(organization)
    const { owner } = organization
    const body = { name: 'Theirs', client_id, period: 'last_month' }
    const theirs = await made(owner, '/reports', body)
    const editor = await scopedMember(organization, 'editor', { client_ids: [client_id] })
    expect((await editor.post(`/reports/${theirs}/schedules`, weekly)).statusCode).toBe(201)
    expect((await editor.post(`/reports/${id}/schedules`, weekly)).statusCode).toBe(404)
    expect((await editor.get(path)).statusCode).toBe(404)
    const viewer = await organization.as('viewer')
    expect((await viewer.get(path)).statusCode).toBe(200)
    expect((await viewer.post(`${path}/send`)).statusCode).toBe(403)
  })

  test('keeps its hour when the time zone changes', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, client_id, schedule, path } = await scheduled(organization)
    const hourOf = async () => {
      const { next_at, time_zone, version } = (await owner.get(path)).json()
      const due = Temporal.Instant.from(next_at).toZonedDateTimeISO(time_zone)
      return [time_zone, due.hour, due.dayOfWeek, version]
    }
    await owner.patch(`/clients/${client_id}`, { time_zone: 'America/New_York' })
    expect(await hourOf()).toEqual(['America/New_York', 8, 1, 1])
    await owner.patch(`/clients/${client_id}`, { time_zone: null })
    expect(await hourOf()).toEqual(['UTC', 8, 1, 1])
    await owner.patch('/organization', { time_zone: 'Asia/Tokyo' })
    expect(await hourOf()).toEqual(['Asia/Tokyo', 8, 1, 1])
    const other = { name: 'Contoso', time_zone: 'Europe/Riga' }
    await owner.patch(`/reports/${id}`, { client_id: await made(owner, '/clients', other) })
    expect(await hourOf()).toEqual(['Europe/Riga', 8, 1, 1])
    expect(schedule.version).toBe(1)
  })
})

describe('when it is due', () => {
  test('each recipient gets a mail with a link to a new snapshot, once', async () => {
    const organization = await world.organization({ name: 'Acme' })
    const recipients = ['grace@example.com', 'ada@example.com']
    const { id, schedule } = await scheduled(organization, { fields: { recipients } })
    await runDue()
    expect(await waiting()).toBe(0)
    await passTo(schedule.next_at)
    await runDue()
    await runDue()
    await sendMails()
    expect(server.mails.map(({ to: [to] }) => to).sort()).toEqual(recipients.toSorted())
    const [mail] = server.mails
    const [subject = ''] = mail?.headers.get('subject') ?? []
    expect(subject).toMatch(/Results.*Northwind.*1.*20\d\d/)
    expect(mail?.text).toContain('Acme sends you the report “Results” for Northwind')
    const links = mail?.text.match(/https?:\S+/g) ?? []
    expect(links).toHaveLength(1)
    expect(mail?.html.match(/https?:\/\/[^\s"<]+/g)).toEqual(links)
    expect(mail?.html).not.toMatch(/<img|src=|url\(|<script/)
    const page = await world.app.inject({ url: new URL(links[0] ?? '').pathname })
    expect([page.statusCode, page.body.includes('Northwind')]).toEqual([200, true])

    const [snapshots, found] = [
      await rowsAbout('report_snapshots', id),
      await rowsAbout('report_links', id),
    ]
    expect(snapshots).toHaveLength(1)
    expect(found).toMatchObject([
      { snapshot_id: snapshots[0]?.id, schedule_id: schedule.id, views: 1 },
    ])
    const row = await stored(schedule.id)
    expect(Date.parse(String(row?.next_at)) - Date.parse(schedule.next_at)).toBeLessThan(1.1 * week)
    expect(row).toMatchObject({ last_error: null, status: 'enabled' })
    const [secret] = (links[0] ?? '').split('/').slice(-1)
    const [kept] = await world.database.query<{ text: string }>(`select concat(
      (select json_agg(a) from audit_logs a), (select json_agg(e) from events e),
      (select json_agg(l) from report_links l), (select json_agg(m) from mails m)) as text`)
    expect(kept?.text).toContain('report_schedule.sent')
    expect(kept?.text).not.toContain(secret)
  })

  test('times that were missed are one mail', async () => {
    const organization = await world.organization()
    const { schedule } = await scheduled(organization)
    world.clock.advance(5 * week)
    await runDue()
    await runDue()
    expect(await waiting()).toBe(1)
    const next = Date.parse(String((await stored(schedule.id))?.next_at))
    expect(next).toBeGreaterThan(world.clock.now().getTime())
    expect(next).toBeLessThanOrEqual(world.clock.now().getTime() + week)
  })

  test('a fault halfway leaves nothing behind, and it is sent afterwards', async () => {
    const organization = await world.organization()
    const { id, schedule } = await scheduled(organization)
    await passTo(schedule.next_at)
    await world.database.query('alter table mails add constraint fault check (false) not valid')
    await expect(runDue()).rejects.toThrow()
    expect(await rowsAbout('report_snapshots', id)).toEqual([])
    expect(await rowsAbout('report_links', id)).toEqual([])
    await world.database.query('alter table mails drop constraint fault')
    await Promise.all([runDue(), runDue()])
    expect(await waiting()).toBe(1)
    expect(await rowsAbout('report_snapshots', id)).toHaveLength(1)
  })

  test('it is switched off, and its maker notified, where that one may not any more', async () => {
    const organization = await world.organization()
    const editor = await organization.as('editor')
    const { schedule } = await scheduled(organization, { by: editor })
    await organization.owner.patch(`/members/${editor.userId}`, { role: 'viewer' })
    await passTo(schedule.next_at)
    await runDue()
    expect(await waiting()).toBe(0)
    expect(await stored(schedule.id)).toMatchObject({
      ...{ status: 'disabled', disabled_reason: 'insufficient_role', next_at: null },
    })
    await notifyNow(organization)
    const notified = await world.database.query<{ user_id: string; title: string }>(
      `select user_id, content ->> 'title' as title, content ->> 'path' as path
       from notifications where type = 'report_schedule.disabled'`,
    )
    const title =
      'Report schedule “Results” was switched off: who switched it on may not send reports any more'
    const path = `/reports/${schedule.report_id}`
    expect(notified).toContainEqual({ user_id: editor.userId, title, path })
    expect(notified).toContainEqual({ user_id: organization.owner.userId, title, path })
  })

  test('it is switched off where the scope of its maker does not show the report any more', async () => {
    const organization = await world.organization()
    const { client_id } = await portfolio(world, organization, 'Contoso')
    const editor = await organization.as('editor')
    const { id, schedule } = await scheduled(organization, { by: editor })
    const scope = { client_ids: [client_id] }
    await organization.owner.patch(`/members/${editor.userId}`, { scope })
    await passTo(schedule.next_at)
    await runDue()
    expect(await stored(schedule.id)).toMatchObject({ disabled_reason: 'out_of_scope' })
    expect(await rowsAbout('report_snapshots', id)).toEqual([])
    await sendMails()
    const [mail, ...others] = server.mails
    expect([mail?.to, others]).toEqual([[editor.email], []])
    expect(mail?.text).toContain('so the schedule is off')
    expect(mail?.text).not.toMatch(/Results|Northwind/)
  })

  test('without a mail server it says so, and goes on at its next time', async () => {
    const organization = await world.organization()
    const { id, schedule } = await scheduled(organization)
    await passTo(schedule.next_at)
    withoutMail()
    await runDue()
    const failed = await stored(schedule.id)
    expect(failed).toMatchObject({
      ...{ status: 'enabled', last_error: expect.stringContaining('mail server') },
    })
    expect(await rowsAbout('report_snapshots', id)).toEqual([])
    Object.assign(world.services, { config: world.config })
    await runDue()
    expect(await waiting()).toBe(0)
    await passTo(failed?.next_at)
    await runDue()
    expect(await waiting()).toBe(1)
    expect(await stored(schedule.id)).toMatchObject({ last_error: null })
  })

  test('in a suspended organization nothing is sent', async () => {
    const organization = await world.organization()
    const { schedule } = await scheduled(organization)
    await passTo(schedule.next_at)
    await world.database.query(
      `update organizations set status = 'suspended' where id = '${organization.id}'`,
    )
    await runDue()
    expect(await waiting()).toBe(0)
    expect(await stored(schedule.id)).toMatchObject({
      ...{ status: 'enabled', last_error: 'The organization is suspended.' },
    })
  })

  test('a sandbox whose clock is ahead sends by its clock', async () => {
    const organization = await world.organization({ sandbox: true })
    const { schedule } = await scheduled(organization)
    const ahead = Date.parse(schedule.next_at) - world.clock.now().getTime()
    const advance_seconds = Math.ceil(ahead / 1_000)
    await organization.owner.post('/sandbox/clock', { advance_seconds })
    await runDue()
    expect(await waiting()).toBe(1)
  })
})

describe('sent by hand', () => {
  test('it goes out at once, also if it is off, and its next time stays', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { path, schedule, id } = await scheduled(organization, { fields: { link_days: 2 } })
    const sent = (await owner.post(`${path}/send`)).json()
    expect(sent).toMatchObject({
      ...{ next_at: schedule.next_at, last_error: null, version: 2 },
      last_sent_at: world.clock.now().toISOString(),
    })
    await owner.patch(path, { status: 'disabled' })
    expect((await owner.post(`${path}/send?validate_only=true`)).statusCode).toBe(200)
    expect(await waiting()).toBe(1)
    expect((await owner.post(`${path}/send`)).json().status).toBe('disabled')
    expect(await waiting()).toBe(2)
    const { data } = (await owner.get(`/reports/${id}/links`)).json()
    const days = (Date.parse(data[0].expires_at) - world.clock.now().getTime()) / 86_400_000
    expect([data.length, data[0].schedule_id, days]).toEqual([2, schedule.id, 2])
  })

  test('links that are over make room, and leave that of people', async () => {
    const organization = await world.organization()
    const { path, schedule, id } = await scheduled(organization, { fields: { link_days: 1 } })
    await organization.owner.post(`${path}/send`)
    await world.database.query(`
      insert into report_links (organization_id, id, report_id, snapshot_id, schedule_id,
        token_hash, expires_at, views, created_at)
      select organization_id, 'x' || n, report_id, snapshot_id, schedule_id, 'x', expires_at, 0,
        created_at
      from report_links cross join generate_series(1, 99) n where report_id = '${id}'`)
    const expires_at = new Date(world.clock.now().getTime() + week).toISOString()
    const byHand = await organization.owner.post(`/reports/${id}/links`, { expires_at })
    expect(byHand.statusCode).toBe(201)
    await passTo(schedule.next_at)
    world.clock.advance(week)
    await runDue()
    const links = await rowsAbout('report_links', id)
    expect(links.map(({ schedule_id }) => schedule_id).sort()).toEqual([schedule.id, null].sort())
  })
})
