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

/** The code of a program that waits. */
const waitingCode = async ({ owner }: TestOrganization): Promise<string> =>
  (await owner.post('/auth/login_code', {})).json().code

const codeWrite = { event: false, arrange: waitingCode, body: (code: string) => ({ code }) }

const loginCodeWrites: Record<string, Write> = {
  'POST /auth/login_code/confirm': { ...codeWrite, action: 'auth.login_code_confirmed' },
  'POST /auth/login_code/refuse': { ...codeWrite, action: 'auth.login_code_refused' },
}

/** The secret of a code that the owner has confirmed. */
async function confirmed({ owner }: TestOrganization): Promise<string> {
  const { code, secret } = (await owner.post('/auth/login_code', {})).json()
  await owner.post('/auth/login_code/confirm', { code })
  return secret
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
  ...loginCodeWrites,
}

type Example = Pick<Write, 'arrange' | 'body' | 'anonymous'> & {
  queryFor?: (organization: TestOrganization) => string
}

const askedFor = new WeakMap<TestOrganization, string>()

export const factorExamples: Readonly<Record<string, Example>> = {
  'GET /auth/login_code': {
    arrange: async (organization) => {
      const code = await waitingCode(organization)
      askedFor.set(organization, code)
      return code
    },
    queryFor: (organization) => `code=${askedFor.get(organization)}`,
  },
  'POST /auth/passkey/options': { anonymous: true, body: () => ({}) },
  'POST /auth/login_code': { anonymous: true, body: () => ({}) },
  'POST /auth/login_code/claim': {
    anonymous: true,
    arrange: confirmed,
    body: (secret) => ({ secret }),
  },
  'POST /auth/login/verify': {
    anonymous: true,
    arrange: challenge,
    body: (secret, organization) => ({ challenge: secret, otp: codeOf(secret, organization) }),
  },
}

/** Factors are listed once there is one. */
export const factorReads = { 'GET /auth/factors': { arrange: begun } }
