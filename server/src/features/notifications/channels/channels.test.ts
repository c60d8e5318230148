import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { notifyNow } from '../../../../test/support/cases/people/notification-cases.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { openToLocal, verify } from '../../../../test/support/delivering.ts'
import { watch } from '../../../../test/support/documented.ts'
import {
  type MailServer,
  mailSettings,
  openMailServer,
} from '../../../../test/support/machines/mail/mail-server.ts'
import { openReceiver, type Receiver } from '../../../../test/support/machines/receiver.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { type Client, faultsOf, type TestOrganization } from '../../../../test/support/world.ts'
import { sendDueMails } from '../../../mail/send-due.ts'
import { sendDueMessages } from '../sending/send-due.ts'

let world: OwnWorld
let mails: MailServer
let receiver: Receiver

beforeAll(async () => {
  mails = await openMailServer()
  receiver = await openReceiver()
  const env = {
    ...openToLocal,
    ...mailSettings(mails),
    FLIGHTDECK_PLAN_LIMITS: 'zion=1000000',
    FLIGHTDECK_WEBHOOK_RETRY_SCHEDULE: '5,300',
  }
  world = watch(await openOwnWorld({ env }))
})
afterEach(async () => {
  receiver.answer(200)
  receiver.received.length = 0
  mails.mails.length = 0
  await world.database.query('delete from notification_messages')
  await world.database.query('delete from mails')
})
afterAll(async () => {
  await world.close()
  await receiver.close()
  await mails.close()
})

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const channel = (more: object = {}) => ({
  ...{ kind: 'webhook', name: 'Ours', target: receiver.url, events: ['campaign.created'] },
  ...more,
})

const passOn = async (organization: TestOrganization) => {
  await notifyNow(organization)
  await sendDueMessages(world.services, AbortSignal.timeout(60_000))
}

const sendMails = () => sendDueMails(world.services, AbortSignal.timeout(60_000))

const newCampaign = async (organization: TestOrganization, more: object = {}) => {
  const profile_id = await profileOf(organization)
  return made(organization.owner, '/campaigns', { ...campaignBody(profile_id), ...more })
}

const bodyOf = (at = 0) => JSON.parse(receiver.received[at]?.body ?? 'null')
const stateOf = async (owner: Client, id: string) =>
  (await owner.get(`/notification_channels/${id}`)).json()

describe('a channel', () => {
  test('is notified of its events, signed, with a secret that is shown once', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const headers = { 'idempotency-key': 'one' }
    const reply = await owner.post('/notification_channels', channel(), headers)
    expect(reply.statusCode).toBe(201)
    const { id, secret, target } = reply.json()
    expect(id).toMatch(/^nch_/)
    expect(secret).toMatch(/^whsec_/)
    expect(target).toBe(new URL(receiver.url).origin)
    const again = await owner.post('/notification_channels', channel(), headers)
    expect(again.json()).toMatchObject({ id, secret: null })
    const campaign = await newCampaign(organization, { name: 'Spring Sale' })
    await passOn(organization)
    await passOn(organization)
    expect(receiver.received).toHaveLength(1)
    const [got] = receiver.received
    if (got) verify(got, secret)
    expect(bodyOf()).toMatchObject({
      id: got?.headers['webhook-id'],
      organization_id: organization.id,
      notifications: [
        {
          type: 'campaign.created',
          title: 'Campaign “Spring Sale” was created',
          object: { type: 'campaign', id: campaign, name: 'Spring Sale' },
          sum: expect.stringMatching(/a day$/),
          url: `https://flightdeck.example.com/console/campaigns/${campaign}`,
        },
      ],
    })
    expect(await stateOf(owner, id)).toMatchObject({ last_success_at: expect.any(String) })
  })

  test('keeps its target and secret out of answers, audit, events and stored replies', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const target = `${receiver.url}/T0/B0/very-secret-path`
    const headers = { 'idempotency-key': 'two' }
    const { id, secret } = (
      await owner.post('/notification_channels', channel({ target }), headers)
    ).json()
    await owner.patch(`/notification_channels/${id}`, { target: `${target}-2` })
    const shown = [
      await owner.get('/notification_channels'),
      await owner.get(`/notification_channels/${id}`),
      await owner.get('/events'),
      await owner.get('/audit_logs'),
    ].map(({ body }) => body)
    const stored = []
    for (const table of ['notification_channels', 'idempotency_keys', 'events', 'audit_logs']) {
      stored.push(JSON.stringify(await world.database.query(`select * from ${table}`)))
    }
    const all = [...shown, ...stored, JSON.stringify(world.logged)].join()
    expect(all).not.toContain('very-secret')
    expect(all).not.toContain(secret.slice(6))
    const [record] = (await owner.get(`/audit_logs?resource_id=${id}`)).json().data
    expect(record.changes).toContainEqual({
      ...{ field: 'target', before: '[redacted]', after: '[redacted]' },
    })
  })

  test('keeps a target that is sent back as shown', async () => {
    const { owner } = await world.organization()
    const { origin } = new URL(receiver.url)
    const body = channel({ target: `${origin}/T0/x1` })
    const made = (await owner.post('/notification_channels', body)).json()
    const path = `/notification_channels/${made.id}`
    const same = await owner.patch(path, { target: made.target })
    expect(same.json()).toMatchObject({ target: made.target, version: made.version })
    const moved = await owner.patch(path, { target: `${origin}/T0/x2` })
    expect(moved.json().version).toBe(made.version + 1)
  })

  test('is refused where webhooks are, and does not echo the target', async () => {
    const { owner } = await world.organization()
    const refused = ['http://10.0.0.5/x', 'https://[::ffff:10.0.0.5]/x', 'https://u:p@example.com/']
    for (const target of [...refused, 'ftp://example.com', 'http://169.254.169.254/x']) {
      const reply = await owner.post('/notification_channels', channel({ target }))
      expect(faultsOf(reply).join()).toMatch(/^\/target (?:forbidden_host|invalid_format)$/)
      expect(reply.body).not.toContain(target)
    }
    const bad = [
      { events: ['campaign.exploded'] },
      { filter: { client_id: 'cli_none' } },
      { kind: 'email', target: 'a@example.com\nBcc: b@example.com' },
      { kind: 'email', target: 'a@example.com, b@example.com' },
    ]
    for (const more of bad) {
      expect((await owner.post('/notification_channels', channel(more))).statusCode).toBe(422)
    }
    const { id } = (await owner.post('/notification_channels', channel())).json()
    const moved = await owner.patch(`/notification_channels/${id}`, { target: refused[0] })
    expect(faultsOf(moved)).toEqual(['/target forbidden_host'])
  })

  test('with a filter is notified of that client only', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const client_id = await made(owner, '/clients', { name: 'Baltic Coffee' })
    const filter = { client_id, label: 'sale' }
    await owner.post('/notification_channels', channel({ filter }))
    const profile_id = await profileOf(organization, { client_id })
    const body = { ...campaignBody(profile_id), name: 'Ours', labels: ['sale'] }
    await made(owner, '/campaigns', { ...body, name: 'Unlabelled', labels: [] })
    const ours = await made(owner, '/campaigns', body)
    await newCampaign(organization, { labels: ['sale'] })
    await passOn(organization)
    expect(receiver.received).toHaveLength(1)
    expect(bodyOf().notifications[0].object.id).toBe(ours)
  })

  test('is notified the same once an hour, then how often it happened since', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.post('/notification_channels', channel({ events: ['campaign.updated'] }))
    const id = await newCampaign(organization)
    for (const daily_budget of [40, 50, 60]) {
      await owner.patch(`/campaigns/${id}`, { daily_budget })
      await passOn(organization)
    }
    expect(receiver.received).toHaveLength(1)
    expect(bodyOf().notifications).toMatchObject([
      { count: 1, changes: [{ name: 'Daily budget', after: '40.00 USD' }] },
    ])
    world.clock.advance(hourMs)
    await passOn(organization)
    expect(receiver.received).toHaveLength(2)
    expect(bodyOf(1).notifications).toMatchObject([
      { count: 2, changes: [{ name: 'Daily budget', before: '50.00 USD', after: '60.00 USD' }] },
    ])
  })

  test('with a digest gets one message at the end of the hour', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.post('/notification_channels', channel({ digest: 'hourly' }))
    for (const name of ['One', 'Two']) await newCampaign(organization, { name })
    await passOn(organization)
    expect(receiver.received).toHaveLength(0)
    world.clock.advance(hourMs)
    await passOn(organization)
    expect(receiver.received).toHaveLength(1)
    expect(bodyOf().notifications).toHaveLength(2)
  })

  test('is tried again with the same id, and switched off after a day, which is notified once', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    const { id } = (await admin.post('/notification_channels', channel())).json()
    receiver.answer(500)
    await newCampaign(organization)
    await passOn(organization)
    world.clock.advance(10_000)
    await passOn(organization)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect(await stateOf(owner, id)).toMatchObject({
      ...{ consecutive_failures: 2, last_error: 'the receiver answered 500', status: 'enabled' },
    })
    // A clock that is moved by a day ends the sessions of the test.
    const longAgo = new Date(world.clock.now().getTime() - 25 * hourMs)
    await world.database.query('update notification_channels set failing_since = $1', [longAgo])
    await passOn(organization)
    await passOn(organization)
    expect(await stateOf(owner, id)).toMatchObject({
      ...{ status: 'disabled', disabled_reason: 'failing' },
    })
    const notified = (await admin.get('/notifications?category=security'))
      .json()
      .data.filter(({ type }: { type: string }) => type === 'notification_channel.disabled')
    expect(notified).toMatchObject([
      { title: 'Notification channel “Ours” was switched off: it failed for too long', count: 1 },
    ])
    receiver.answer(200)
    receiver.received.length = 0
    await newCampaign(organization)
    await passOn(organization)
    expect(receiver.received).toHaveLength(0)
    await owner.patch(`/notification_channels/${id}`, { status: 'enabled' })
    await newCampaign(organization)
    await passOn(organization)
    expect(receiver.received).toHaveLength(1)
  })

  test('that hangs keeps no other waiting', async () => {
    const organization = await world.organization()
    const hanging = await openReceiver()
    const { owner } = organization
    hanging.answer(() => {})
    await owner.post('/notification_channels', channel({ target: hanging.url }))
    await owner.post('/notification_channels', channel())
    await newCampaign(organization)
    await notifyNow(organization)
    const stop = new AbortController()
    const sending = sendDueMessages(world.services, stop.signal)
    await receiver.arrived(1, 5_000)
    await newCampaign(organization)
    await notifyNow(organization)
    await receiver.arrived(2, 5_000)
    stop.abort()
    await sending
    await hanging.close()
  })

  // A trigger breaks a statement, as a database without space would.
  test.each([
    ['the attempt', 'new.attempts > old.attempts', 0],
    ['the outcome', 'new.sent_at is not null', 1],
  ])('is not sent to again and again where %s cannot be recorded', async (_, when, sent) => {
    const organization = await world.organization()
    await organization.owner.post('/notification_channels', channel())
    await newCampaign(organization)
    await notifyNow(organization)
    const { database } = world
    await database.query(`create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not today'; end $$`)
    await database.query(`create trigger refuse before update on notification_messages
      for each row when (${when}) execute function refuse()`)
    for (let look = 0; look < 5; look += 1) await passOn(organization)
    expect(receiver.received).toHaveLength(sent)
    await database.query('drop trigger refuse on notification_messages')
    world.clock.advance(10_000)
    await passOn(organization)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    // The receiver knows the repeated one by its id.
    expect([ids.length, new Set(ids).size]).toEqual([sent + 1, 1])
  })

  test('is tested at once', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = (await owner.post('/notification_channels', channel({ digest: 'daily' }))).json()
    expect((await owner.post(`/notification_channels/${id}/test`)).statusCode).toBe(200)
    await passOn(organization)
    expect(bodyOf().notifications[0].title).toContain('test')
  })
})

const evil = '<!channel> *bold* [click](https://evil.example) <a href="https://evil.example">x</a>'

describe('texts of people', () => {
  test.each(['slack', 'teams', 'google_chat'])('do nothing in %s', async (kind) => {
    const organization = await world.organization()
    await organization.owner.post('/notification_channels', channel({ kind }))
    await newCampaign(organization, { name: `${evil} <users/all> <at>all</at>` })
    await passOn(organization)
    const { body } = receiver.received[0] ?? { body: '' }
    // One link, ours; and no address that a program would make a link of.
    const urls = body.match(/https?:\/\/(?!adaptivecards\.io)[^\s"\\<]+/g)
    expect(urls).toEqual([expect.stringMatching(/^https:\/\/flightdeck\.example\.com\/console\//)])
    for (const text of activeTexts(kind, JSON.parse(body))) {
      expect(text).not.toMatch(/[<>]/)
      expect(text).toContain('&lt;!channel&gt;')
    }
  })
})

/** The texts in which the network looks for marks. */
function activeTexts(kind: string, body: unknown): string[] {
  if (kind === 'slack') return [Object(body).text]
  if (kind === 'teams') {
    const blocks = Object(body).attachments[0].content.body
    for (const { type, inlines } of blocks) {
      expect([type, inlines[0].type]).toEqual(['RichTextBlock', 'TextRun'])
    }
  }
  return []
}

describe('mails', () => {
  test('go to who asks for them, and to channels; one header, one link, in text and HTML', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    await notifyNow(organization)
    await world.database.query('delete from notification_messages')
    const target = 'Team@Example.com'
    const { id, ...shown } = (
      await owner.post('/notification_channels', channel({ kind: 'email', target }))
    ).json()
    expect(shown).toMatchObject({ target: 't…@example.com', secret: null })
    await newCampaign(organization, { name: `${evil}` })
    await admin.post('/api_keys', { name: 'Nightly\u2028export', role: 'viewer' })
    await passOn(organization)
    await sendMails()
    const byAddress = Object.groupBy(mails.mails, ({ to }) => to.join())
    expect(Object.keys(byAddress).sort()).toEqual([owner.email, 'team@example.com'].sort())
    const [mail] = byAddress['team@example.com'] ?? []
    for (const part of [mail?.text, mail?.html]) {
      const urls = part?.match(/https?:\/\/[^\s"<]+/g)
      expect(urls).toEqual([
        expect.stringMatching(/^https:\/\/flightdeck\.example\.com\/console\//),
      ])
    }
    expect(mail?.html).not.toMatch(/<img|src=|<a href="https:\/\/evil/)
    const [own] = byAddress[owner.email] ?? []
    expect(own?.headers.get('subject')).toHaveLength(1)
    expect(await stateOf(owner, id)).toMatchObject({ last_success_at: expect.any(String) })
  })

  test('and messages say why, where the request of the change said so', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    const { userId } = await organization.as('viewer')
    await notifyNow(organization)
    await world.database.query('delete from notification_messages')
    await owner.post('/notification_channels', channel({ events: ['member.updated'] }))
    const reason = { 'x-audit-reason': 'Left the company' }
    expect((await admin.put(`/members/${userId}`, { disabled: true }, reason)).statusCode).toBe(200)
    await admin.post('/api_keys', { name: 'Nightly', role: 'viewer' })
    await passOn(organization)
    await sendMails()
    expect(bodyOf().notifications).toMatchObject([
      { type: 'member.updated', reason: 'Left the company' },
    ])
    const texts = mails.mails.map(({ text }) => text).join('\n')
    expect(texts.match(/Reason: Left the company/g)).toHaveLength(1)
    const { data } = (await owner.get('/notifications')).json()
    const shown = data.map(({ type, reason }: { type: string; reason: string }) => [type, reason])
    expect(shown).toContainEqual(['member.updated', 'Left the company'])
    expect(shown).toContainEqual(['api_key.created', null])
  })

  test('that follow each other fast are sent together, and leave room for passwords', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    await notifyNow(organization)
    await world.database.query('delete from notification_messages')
    for (const name of ['One', 'Two', 'Three']) {
      await admin.post('/api_keys', { name, role: 'viewer' })
      await passOn(organization)
    }
    await sendMails()
    expect(mails.mails).toHaveLength(1)
    world.clock.advance(5 * minuteMs)
    await passOn(organization)
    await sendMails()
    expect(mails.mails.map(({ to }) => to)).toEqual([[owner.email], [owner.email]])
    expect(mails.mails[1]?.text).toContain('and 1 more')
  })
})
