import type { TSchema } from 'typebox'
import { idPattern } from '../../values/ids.ts'
import type { Endpoint, Method } from '../endpoint.ts'
import { queryOf } from '../reply/dry-run.ts'
import { idsIn } from '../request/path-ids.ts'
import { type Components, type Json, publicSchema } from './schemas.ts'
import { isReplayable, isVersioned, mayNameVersion, showsVersion } from './traits.ts'

/** Request headers shared by endpoints. */
export const headerParameters = {
  IfMatch: header('If-Match', {
    description:
      'The expected version: an `ETag` from a response. A different version is 412. An organization may require it on every change (428); approving always requires it.',
    schema: { type: 'string', examples: ['"3"'] },
  }),
  IfNoneMatch: header('If-None-Match', {
    description: 'An `ETag` from a response; returns 304 while it is current.',
    schema: { type: 'string', examples: ['"3"'] },
  }),
  IdempotencyKey: header('Idempotency-Key', {
    description:
      'A unique text per request. A repeated request with the same key is executed once; for 24 hours repeats return the first response.',
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$', examples: ['order-4711'] },
  }),
  LastEventId: header('Last-Event-ID', {
    description: 'The last received `id`: the stream resumes after it. Omitted: only new events.',
    schema: { type: 'string', pattern: idPattern('event') },
  }),
  AuditReason: header('X-Audit-Reason', {
    description: 'The reason for the change, recorded in the audit log.',
    schema: { type: 'string', maxLength: 500 },
  }),
  OverrideReason: header('X-Override-Reason', {
    description:
      'Overrides the guardrails for this request and gives the reason, which is recorded in the audit log. Honored for owners and admins only, otherwise ignored.',
    schema: { type: 'string', maxLength: 500 },
  }),
} as const

function header(name: string, { description, schema }: { description: string; schema: Json }) {
  return { name, in: 'header', required: false, description, schema }
}

type HeaderParameter = keyof typeof headerParameters
const referTo = (name: HeaderParameter) => ({ $ref: `#/components/parameters/${name}` })

/** Path, query and header parameters of an operation. */
export const parametersOf = (
  endpoint: Endpoint,
  method: Method,
  components: Components,
): Json[] => [
  ...pathParameters(endpoint.path),
  ...queryParameters(queryOf(endpoint), components),
  ...headersOf(endpoint, method).map(referTo),
]

function headersOf(endpoint: Endpoint, method: Method): HeaderParameter[] {
  const offered: [HeaderParameter, boolean][] = [
    ['IfMatch', isVersioned(endpoint, method) || mayNameVersion(endpoint, method)],
    ['IfNoneMatch', method === 'GET' && showsVersion(endpoint)],
    ['IdempotencyKey', isReplayable(endpoint, method)],
    ['LastEventId', endpoint.live ?? false],
    ['AuditReason', endpoint.action !== undefined],
    ['OverrideReason', isGuarded(endpoint)],
  ]
  return offered.filter(([, applies]) => applies).map(([name]) => name)
}

const isGuarded = ({ problems = [] }: Endpoint): boolean =>
  problems.includes('guardrail_violation') || problems.includes('bulk_failed')

function queryParameters(query: Readonly<Record<string, TSchema>>, components: Components): Json[] {
  return Object.entries(query).map(([name, source]) => {
    const { description, ...schema } = publicSchema(source, components)
    return { name, in: 'query', required: false, ...(description ? { description } : {}), schema }
  })
}

/** `/campaigns/:id` → `/campaigns/{id}` */
export const templateOf = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')

function pathParameters(path: string): Json[] {
  return idsIn(path).map(({ name, kind }) => {
    const schema = { type: 'string', pattern: idPattern(kind) }
    const description = `Id of the ${kind.replaceAll('_', ' ')}.`
    return { name, in: 'path', required: true, description, schema }
  })
}
