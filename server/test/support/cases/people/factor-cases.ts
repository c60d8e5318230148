import { randomUUID } from 'node:crypto'
import { timeCode } from '../../clients/second-factor.ts'
import { password, type TestOrganization } from '../../world.ts'
import type { Write } from '../write-cases.ts'

/** The secrets of factors and of challenges, by their ids. */
const secrets = new Map<string, string>()

const codeOf = (id: string, { ctx }: TestOrganization, stepsOff = 0) =>
  timeCode(secrets.get(id) ?? '', ctx.services.clock.now(), stepsOff)

async function begun({ owner }: TestOrganization): Promise<string> {
  const { id, secret } = (await owner.post('/auth/factors', { kind: 'totp' })).json()
  secrets.set(id, secret)
  return id
}

/** A new member's login that waits for a code, by its challenge. */
async function challenge(organization: TestOrganization): Promise<string> {
  const { owner } = organization
  const email = `guarded-${randomUUID()}@example.com`
  await owner.post('/members', { email, name: 'Grace Hopper', role: 'editor', password })
  const login = async () => (await owner.post('/auth/login', { email, password })).json()
  const authorization = `Bearer ${(await login()).token}`
  const post = (path: string, body: object) => owner.post(path, body, { authorization })
  const { id, secret } = (await post('/auth/factors', { kind: 'totp' })).json()
  secrets.set(id, secret)
  await post(`/auth/factors/${id}/verify`, { otp: codeOf(id, organization, -1) })
  const asked = (await login()).challenge
  secrets.set(asked, secret)
  return asked
}

export const factorWrites: Record<string, Write> = {
  'POST /auth/factors': {
    action: 'auth.factor_begun',
    event: false,
    body: () => ({ kind: 'totp', name: 'Phone' }),
  },
  'POST /auth/factors/:id/verify': {
    action: 'auth.factor_added',
    after: ['member.updated'],
    event: false,
    arrange: begun,
    body: (id, organization) => ({ otp: codeOf(id, organization) }),
  },
  'DELETE /members/:id/factors': {
    action: 'auth.factors_removed',
    event: false,
    arrange: async (organization) => {
      const viewer = await organization.as('viewer')
      await viewer.post('/auth/factors', { kind: 'totp' })
      return viewer.userId
    },
  },
  'DELETE /auth/factors/:id': { action: 'auth.factor_removed', event: false, arrange: begun },
}

export const factorExamples: Readonly<
  Record<string, Pick<Write, 'arrange' | 'body' | 'anonymous'>>
> = {
  'POST /auth/passkey/options': { anonymous: true, body: () => ({}) },
  'POST /auth/login/verify': {
    anonymous: true,
    arrange: challenge,
    body: (secret, organization) => ({ challenge: secret, otp: codeOf(secret, organization) }),
  },
}

/** Factors are listed once there is one. */
export const factorReads = { 'GET /auth/factors': { arrange: begun } }
