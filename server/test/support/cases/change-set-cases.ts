import type { TestOrganization } from '../world.ts'
import type { Write } from './write-cases.ts'
import { campaignAfter, made } from './writes.ts'

/** With an event, as all writes of change sets. */
const loudly = (action: string, more: Partial<Write> = {}): Write => ({
  action,
  event: true,
  ...more,
})

/** Pauses a campaign that is paused already: applied, it changes nothing but itself. */
export const changeSetOf = async (organization: TestOrganization) => {
  const id = await campaignAfter(organization, ['launch', 'pause'])
  const operations = [{ op: 'action', id, action: 'pause' }]
  return made(organization.owner, '/change_sets', { title: 'Pause', operations })
}

const changeSetOfEditor = async (organization: TestOrganization) => {
  const id = await campaignAfter(organization, ['launch'])
  const operations = [{ op: 'action', id, action: 'pause' }]
  return made(await organization.as('editor'), '/change_sets', { title: 'Pause', operations })
}

export const changeSetWrites: Record<string, Write> = {
  'POST /change_sets': loudly('change_set.created', {
    arrange: (organization) => campaignAfter(organization),
    body: (id) => ({
      title: 'Raise',
      operations: [{ op: 'update', id, body: { name: 'Renamed' } }],
    }),
  }),
  'POST /change_sets/from_csv': loudly('change_set.created', {
    arrange: (organization) => campaignAfter(organization),
    headers: { 'content-type': 'text/csv' },
    body: (id) => `id,name\n${id},Renamed\n`,
  }),
  'PATCH /change_sets/:id': loudly('change_set.updated', {
    arrange: changeSetOf,
    body: () => ({ title: 'Renamed' }),
  }),
  'POST /change_sets/:id/approve': loudly('change_set.approved', {
    arrange: changeSetOfEditor,
    body: () => ({ version: 1 }),
  }),
  'POST /change_sets/:id/reject': loudly('change_set.rejected', {
    arrange: changeSetOf,
    body: () => ({ reason: 'Not this month' }),
  }),
  'POST /change_sets/:id/cancel': loudly('change_set.cancelled', { arrange: changeSetOf }),
  'POST /change_sets/:id/refresh': loudly('change_set.refreshed', { arrange: changeSetOf }),
  'POST /change_sets/:id/apply': loudly('change_set.applied', { arrange: changeSetOf }),
}
