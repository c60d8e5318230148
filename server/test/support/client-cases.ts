import type { Services } from '../../src/kernel/context.ts'
import type { Write } from './cases/write-cases.ts'
import { made } from './cases/writes.ts'
import type { TestOrganization } from './world.ts'

/** With an event, as all writes of clients. */
const loudly = (action: string, more: Partial<Write> = {}): Write => ({
  action,
  event: true,
  ...more,
})

const client = ({ owner }: TestOrganization) => made(owner, '/clients', { name: 'Northwind' })

/** A client that has had a name before. */
const renamed = async (organization: TestOrganization): Promise<string> => {
  const id = await client(organization)
  for (const name of ['Contoso', 'Fabrikam'])
    await organization.owner.patch(`/clients/${id}`, { name })
  return id
}

const month = '2026-12'

/** The budget of a client in a month. */
const budget = async (organization: TestOrganization): Promise<string> => {
  const id = await client(organization)
  const body = { amounts: { USD: 10_000 } }
  await organization.owner.put(`/clients/${id}/budgets/${month}`, body)
  return `${id}/${month}`
}

const path = '/clients/:id/budgets/:month'

export const clientWrites: Record<string, Write> = {
  'POST /clients/:id/revert': loudly('client.updated', {
    arrange: renamed,
    body: () => ({ to_version: 1 }),
  }),
  [`PUT ${path}`]: loudly('client.budget_changed', {
    arrange: async (organization) => `${await client(organization)}/${month}`,
    body: () => ({ amounts: { USD: 12_000 } }),
  }),
  [`DELETE ${path}`]: loudly('client.budget_changed', { arrange: budget }),
}

/** The path ids of a report with a snapshot, of one with a link, and of one with a schedule. */

const report = ({ owner }: TestOrganization): Promise<string> =>
  made(owner, '/reports', { name: 'Monthly', period: 'last_month', sections: ['summary'] })

const expiry = () => ({ expires_at: new Date(Date.now() + 86_400_000).toISOString() })

const snapshot = async (organization: TestOrganization): Promise<string> => {
  const id = await report(organization)
  return `${id}/${await made(organization.owner, `/reports/${id}/snapshots`, {})}`
}

const link = async (organization: TestOrganization): Promise<string> => {
  const id = await report(organization)
  return `${id}/${await made(organization.owner, `/reports/${id}/links`, expiry())}`
}

/**
 * From now on the service has a mail server, which nothing reaches: schedules are refused without
 * one.
 */
export function giveMail(services: Services): void {
  const from = { name: '', address: 'flightdeck@example.com' }
  const mail = { url: 'smtp://127.0.0.1:1', from }
  Object.assign(services, { config: { ...services.config, mail } })
}

export const scheduleBody = { every: 'month', day: 1, hour: 8, recipients: ['grace@example.com'] }

const mailed = async (organization: TestOrganization): Promise<string> => {
  giveMail(organization.ctx.services)
  return report(organization)
}

export const schedule = async (organization: TestOrganization): Promise<string> => {
  const id = await mailed(organization)
  return `${id}/${await made(organization.owner, `/reports/${id}/schedules`, scheduleBody)}`
}

const ofSchedule = (action: string, more: Partial<Write> = {}): Write =>
  loudly(`report_schedule.${action}`, { arrange: schedule, ...more })

const schedulePath = '/reports/:id/schedules/:schedule_id'

export const reportWrites: Record<string, Write> = {
  'POST /reports/:id/schedules': ofSchedule('created', {
    arrange: mailed,
    body: () => scheduleBody,
  }),
  [`PATCH ${schedulePath}`]: ofSchedule('updated', { body: () => ({ link_days: 14 }) }),
  [`DELETE ${schedulePath}`]: ofSchedule('deleted'),
  [`POST ${schedulePath}/send`]: ofSchedule('sent', {
    after: ['report_snapshot.created', 'report_link.created'],
  }),
  'POST /reports/:id/snapshots': {
    ...{ action: 'report_snapshot.created', event: true, arrange: report },
  },
  'DELETE /reports/:id/snapshots/:snapshot_id': {
    ...{ action: 'report_snapshot.deleted', event: true, arrange: snapshot },
  },
  'POST /reports/:id/links': {
    ...{ action: 'report_link.created', event: true, arrange: report, body: expiry },
  },
  'DELETE /reports/:id/links/:link_id': {
    ...{ action: 'report_link.deleted', event: true, arrange: link },
  },
}

export const reportReads = {
  [`GET ${schedulePath}`]: { arrange: schedule },
  'GET /reports/:id/snapshots/:snapshot_id': { arrange: snapshot },
  'GET /reports/:id/snapshots/:snapshot_id/page': { arrange: snapshot },
}
