import type { TestOrganization } from '../../world.ts'
import type { Write } from '../write-cases.ts'
import { made } from '../writes.ts'

const agent = ({ owner }: TestOrganization) =>
  made(owner, '/api_keys', { name: 'Desk agent', role: 'editor', agent: { apply: 'approved' } })

async function stoppedAgent(organization: TestOrganization): Promise<string> {
  const id = await agent(organization)
  await organization.owner.post(`/api_keys/${id}/stop`)
  return id
}

export const agentWrites: Record<string, Write> = {
  'POST /api_keys/:id/stop': { action: 'api_key.stopped', event: true, arrange: agent },
  'POST /api_keys/:id/resume': { action: 'api_key.resumed', event: true, arrange: stoppedAgent },
}

export const agentReads: Record<string, Pick<Write, 'arrange' | 'body'>> = {
  'GET /api_keys/:id/agent': { arrange: agent },
}
