import { type Endpoint, endpoint, publicEndpoint } from '../../../http/endpoint.ts'
import { selfUse } from '../../../identity/permissions.ts'
import { NoBody } from '../../../schema/fields.ts'
import { tag } from '../resource.ts'
import { answerLoginCode, beginLoginCode, claimLoginCode, getLoginCode } from './login-codes.ts'
import { ClaimBody, ClaimedLogin, CodeBody, codeQuery, LoginCode, LoginOfCode } from './schema.ts'

const ofPeople = { tag, permission: selfUse, needsSession: true } as const

const ofPrograms = [
  publicEndpoint({
    operation: 'beginLoginCode',
    tag,
    summary: 'Begin a login by a code',
    description:
      'For programs without a browser: a person confirms the code in the console, within 10 minutes. One address may begin 30 a minute.',
    method: 'POST',
    path: '/auth/login_code',
    body: NoBody,
    status: 201,
    reply: LoginCode,
    problems: ['login_throttled'],
    run: (ctx) => beginLoginCode(ctx),
  }),
  publicEndpoint({
    operation: 'claimLoginCode',
    tag,
    summary: 'Claim a login by a code',
    description:
      'Ask again every `interval_seconds` while it is `waiting`. Once confirmed it answers the login, one time.',
    method: 'POST',
    path: '/auth/login_code/claim',
    body: ClaimBody,
    example: { secret: 'BCDFGHJKq1bXk9y3nVbq0zJp5m2c8s7d4f6g1h0jKlMnOpQrStU' },
    reply: ClaimedLogin,
    problems: ['not_found', 'link_expired', 'sso_required', 'login_throttled'],
    run: (ctx, { body }) => claimLoginCode(ctx, body),
  }),
]

export const loginCodeEndpoints: readonly Endpoint[] = [
  ...ofPrograms,
  endpoint({
    ...ofPeople,
    operation: 'getLoginCode',
    summary: 'Get the program that waits for a code',
    method: 'GET',
    path: '/auth/login_code',
    query: codeQuery,
    reply: LoginOfCode,
    problems: ['login_throttled'],
    run: (ctx, { query }) => getLoginCode(ctx, { code: String(query.code) }),
  }),
  endpoint({
    ...ofPeople,
    operation: 'confirmLoginCode',
    summary: 'Log a program in by its code',
    description: 'It gets a session of yours. Confirm only what you have started yourself.',
    method: 'POST',
    path: '/auth/login_code/confirm',
    needsRecentLogin: true,
    action: 'auth.login_code_confirmed',
    noDryRun: true,
    body: CodeBody,
    example: { code: 'BCDF-GHJK' },
    status: 204,
    problems: ['not_found', 'login_throttled'],
    run: (ctx, { body }) => answerLoginCode(ctx, { ...body, refused: false }),
  }),
  endpoint({
    ...ofPeople,
    operation: 'refuseLoginCode',
    summary: 'Refuse a program its login',
    method: 'POST',
    path: '/auth/login_code/refuse',
    action: 'auth.login_code_refused',
    noDryRun: true,
    body: CodeBody,
    example: { code: 'BCDF-GHJK' },
    status: 204,
    problems: ['not_found', 'login_throttled'],
    run: (ctx, { body }) => answerLoginCode(ctx, { ...body, refused: true }),
  }),
]
