import { randomUUID } from 'node:crypto'
import { password, type TestOrganization } from '../../world.ts'
import type { Write } from '../write-cases.ts'
import { made } from '../writes.ts'
import { factorExamples, factorReads, factorWrites } from './factor-cases.ts'
import { channelReads, channelWrites, notificationWrites } from './notification-cases.ts'
import { ssoReads, ssoWrites } from './sso-cases.ts'

/** An address belongs to one user of the whole service. */
const newBody = () => ({ email: `invited-${randomUUID()}@example.com`, role: 'viewer' })

const invitation = ({ owner }: TestOrganization) => made(owner, '/invitations', newBody())
const member = async (organization: TestOrganization) => (await organization.as('viewer')).userId

export const peopleWrites: Record<string, Write> = {
  ...factorWrites,
  ...ssoWrites,
  ...notificationWrites,
  ...channelWrites,
  'POST /members/:id/password_reset': {
    action: 'auth.password_reset_requested',
    event: false,
    arrange: member,
  },
}

/** Operations without a credential; what they need is in a link, or a challenge. */
export const byLink = [
  ...['verifyLogin', 'getPasskeyOptions', 'loginByPasskey'],
  ...['beginLoginCode', 'claimLoginCode'],
  ...['forgotPassword', 'resetPassword', 'findSso', 'acceptInvitation'],
]

const secretIn = (url: string): string => url.slice(url.indexOf('#') + 1)

/** An invitation, by the secret of its link. */
export const secretOf = async ({ owner }: TestOrganization): Promise<string> =>
  secretIn((await owner.post('/invitations', newBody())).json().url)

/** A member who sets a new password, by the secret of the link. */
const secretOfReset = async (organization: TestOrganization): Promise<string> => {
  const path = `/members/${await member(organization)}/password_reset`
  return secretIn((await organization.owner.post(path)).json().url)
}

type Example = (typeof factorExamples)[string]

export const peopleExamples: Readonly<Record<string, Example>> = {
  ...factorExamples,
  'POST /auth/password/forgotten': {
    anonymous: true,
    body: (_, { owner }) => ({ email: owner.email }),
  },
  'POST /auth/password/reset': {
    anonymous: true,
    arrange: secretOfReset,
    body: (secret) => ({ secret, password: `${password}-2` }),
  },
  'POST /invitations/accept': {
    anonymous: true,
    arrange: secretOf,
    body: (secret) => ({ secret, name: 'Grace Hopper', password }),
  },
}

export const peopleReads = {
  ...factorReads,
  ...ssoReads,
  ...channelReads,
  'GET /invitations/:id': { arrange: invitation },
}
