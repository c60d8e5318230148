import { randomUUID } from 'node:crypto'
import { password, type TestOrganization } from '../../world.ts'
import type { Write } from '../write-cases.ts'
import { made } from '../writes.ts'

/** An address belongs to one user of the whole service. */
const newBody = () => ({ email: `invited-${randomUUID()}@example.com`, role: 'viewer' })

const invitation = ({ owner }: TestOrganization) => made(owner, '/invitations', newBody())
const member = async (organization: TestOrganization) => (await organization.as('viewer')).userId

export const peopleWrites: Record<string, Write> = {
  'POST /members/:id/password_reset': {
    action: 'auth.password_reset_requested',
    event: false,
    arrange: member,
  },
}

/** Operations without a credential; what they need is in a link. */
export const byLink = ['forgotPassword', 'resetPassword', 'acceptInvitation']

/** An invitation, by the secret of its link. */
export const secretOf = async ({ owner }: TestOrganization): Promise<string> => {
  const { url } = (await owner.post('/invitations', newBody())).json()
  return url.slice(url.indexOf('#') + 1)
}

export const peopleExamples = {
  'POST /auth/password/forgotten': { anonymous: true },
  'POST /invitations/accept': {
    anonymous: true,
    arrange: secretOf,
    body: (secret: string) => ({ secret, name: 'Grace Hopper', password }),
  },
}

export const peopleReads = { 'GET /invitations/:id': { arrange: invitation } }
