import type { TestOrganization } from '../world.ts'
import { made } from './writes.ts'

/** The path ids of a report with a snapshot, and of one with a link. */

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

export const reportWrites = {
  'POST /reports/:id/snapshots': {
    ...{ action: 'report_snapshot.created', event: true, arrange: report },
  },
  'POST /reports/:id/links': {
    ...{ action: 'report_link.created', event: true, arrange: report, body: expiry },
  },
  'DELETE /reports/:id/links/:link_id': {
    ...{ action: 'report_link.deleted', event: true, arrange: link },
  },
}

export const reportReads = {
  'GET /reports/:id/snapshots/:snapshot_id': { arrange: snapshot },
}
