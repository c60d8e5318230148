import type { Faults } from './faults.ts'
import { checkMessage, isObject, type Json } from './json.ts'
import { mutate } from './mutate.ts'
import { methodsOf, typeOf } from './protos.ts'
import { Malformed, OfProject, refusal, refuse } from './refusal.ts'
import { answerQuery } from './select.ts'
import type { Account, State } from './state.ts'
import type { Issuer } from './tokens.ts'

/** The API: a request goes from its route to its shape, then to who asks, then to the service. */

export type Fake = { state: State; issuer: Issuer; faults: Faults }

export type Asked = {
  method: string
  path: string
  headers: NodeJS.Dict<string | string[]>
  text: string
}

export type Answered = { status: number; body: unknown }

const route = /^(\/v\d+)\/customers\/(\d+)\/googleAds:(\w+)$/

export class NoRoute extends Error {}

export const isWriteOf = ({ path, text }: Asked): boolean =>
  path.endsWith(':mutate') && !text.includes('"validateOnly":true')

export function answer(fake: Fake, asked: Asked): Answered {
  const [, version = '', customerId = '', name = ''] = route.exec(asked.path) ?? []
  const method = methodsOf().get(`${version}/customers/{customer_id=*}/googleAds:${name}`)
  if (!method || asked.method !== 'POST') throw new NoRoute(`${asked.method} ${asked.path}`)
  const body = jsonOf(asked.text)
  if (!isObject(body)) throw new Malformed('The body must be an object.')
  checkMessage(method.request, body)
  if (body.customerId !== undefined && body.customerId !== customerId)
    throw new Malformed('customer_id is in the path.')
  const account = accountFor(fake, asked, customerId)
  const now = Date.now() + fake.state.offsetMs
  throwFaults(fake.faults, isWriteOf(asked))
  if (method.name === 'SearchStream') return { status: 200, body: searched(fake, account, body) }
  if (method.name !== 'Mutate') throw new NoRoute(`${name} is not in this fake`)
  if (body.partialFailure === true)
    refuse('mutateError.OPERATION_DOES_NOT_SUPPORT_PARTIAL_FAILURE', 'It is not in this fake.')
  const made = mutate(body, { account, now, validateOnly: body.validateOnly === true })
  checkMessage(method.response, made)
  return { status: 200, body: made }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Malformed('The body is not JSON.')
  }
}

function searched({ state, faults }: Fake, account: Account, { query }: Json): Json[] {
  const lag = faults.hit('lag', false)
  const seenAt = Date.now() - (lag?.ms ?? 0)
  const past = lag && account.past.find(({ until }) => until > seenAt)
  const held = past ? past.held : account.held
  if (typeof query !== 'string') throw refusal('fieldError.REQUIRED', 'A query is required.')
  return answerQuery(query, { account, held, now: Date.now() + state.offsetMs })
}

/** R26: whose token it is. R27: the manager. R28: an empty developer token. */
function accountFor({ state, issuer }: Fake, { headers }: Asked, id: string): Account {
  const token = String(headers.authorization ?? '').replace(/^Bearer /, '')
  if (!issuer.issued.has(token))
    refuse('authenticationError.OAUTH_TOKEN_INVALID', 'The access token is not valid.')
  if (headers['developer-token'] === '')
    refuse('authenticationError.DEVELOPER_TOKEN_INVALID', 'The developer token is not valid.')
  const account = state.accounts.get(id)
  if (!account)
    throw refusal('authenticationError.CUSTOMER_NOT_FOUND', 'There is no such customer.')
  const login = headers['login-customer-id']
  if (login !== undefined && !/^\d+$/.test(String(login)))
    refuse('headerError.INVALID_LOGIN_CUSTOMER_ID', 'The login customer id is digits.')
  if (account.manager !== null && login !== account.manager)
    refuse(
      'authorizationError.USER_PERMISSION_DENIED',
      "User doesn't have permission to access customer. Note: If you're accessing a client customer, the manager's customer id must be set in the 'login-customer-id' header.",
    )
  return account
}

function throwFaults(faults: Faults, isWrite: boolean): void {
  const quota = faults.hit('quota', isWrite)
  if (quota)
    refuse('quotaError.RESOURCE_EXHAUSTED', 'Too many requests.', {
      details: {
        quotaErrorDetails: {
          rateScope: quota.scope ?? 'ACCOUNT',
          rateName: 'Requests per account',
          retryDelay: `${quota.seconds ?? 30}s`,
        },
      },
    })
  if (faults.hit('transient', isWrite)) refuse('internalError.TRANSIENT_ERROR', 'Try again.')
  if (faults.hit('concurrent', isWrite))
    refuse('databaseError.CONCURRENT_MODIFICATION', 'Another request changed it.')
  const project = faults.hit('project', isWrite)
  if (project) throw new OfProject(project.word ?? 'SERVICE_DISABLED')
  const error = faults.hit('error', isWrite)
  if (error) refuse(error.word ?? 'internalError.INTERNAL_ERROR', `It is refused: ${error.word}.`)
}

/** The failures of this fake are of the definition too. */
export const checkFailure = (failure: object): void =>
  checkMessage(typeOf('errors.GoogleAdsFailure'), failure)
