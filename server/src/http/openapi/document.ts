import { isForPeopleOnly, type Permission, rolesWith } from '../../identity/permissions.ts'
import { problemKinds } from '../../problems/codes.ts'
import { faultCodes } from '../../problems/fault-codes.ts'
import { faultMembers } from '../../problems/fault-members.ts'
import { type Endpoint, type Method, methodsOf, statusOf } from '../endpoint.ts'
import { apiPrefix } from '../pipeline.ts'
import { headerParameters, parametersOf, templateOf } from './parameters.ts'
import { responseHeaders } from './response-headers.ts'
import { responsesOf, sharedResponses } from './responses.ts'
import { type Components, type Json, publicSchema } from './schemas.ts'
import { tagsOf } from './tags.ts'
import { hasId, takesBody } from './traits.ts'

export type OpenApiDocument = {
  openapi: string
  info: Json
  servers: Json[]
  tags: Json[]
  security: Json[]
  paths: Record<string, Record<string, Json>>
  components: Record<string, Json>
}

type About = { version: string; serverUrl?: string }

/** Builds the OpenAPI 3.1 document from the endpoints' validation and reply schemas. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { version, serverUrl = '' }: About,
): OpenApiDocument {
  const components: Components = new Map([
    ['Problem', problemSchema],
    ['Fault', faultSchema],
  ])
  const paths = pathsOf(endpoints, components)
  return {
    openapi: '3.1.1',
    info: { ...info, version },
    servers: [{ url: `${serverUrl}${apiPrefix}` }],
    tags: tagsOf(endpoints.map(({ tag }) => tag)),
    security: [{ bearerAuth: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: sharedResponses(),
      parameters: headerParameters,
      headers: responseHeaders,
      securitySchemes: { bearerAuth },
    },
  }
}

const info = {
  title: 'Flightdeck API',
  summary: 'Campaigns, profiles, proxies, templates, webhook endpoints and audit logs.',
  description: [
    'Log in with `POST /auth/login`, then send `Authorization: Bearer <token>` with each request. Programs can send an API key instead.',
    'Bodies are JSON of at most 1 MiB, with at most 5,000 members and items (50,000 in a bulk request). A body counts as one request per started 16 KiB.',
    'Times are RFC 3339 in UTC. Unknown body fields and query parameters are refused.',
    '`HEAD` is supported wherever `GET` is. A known path with another method answers 405 with `Allow`.',
    'Every error is a problem document (RFC 9457) with a stable `code`; `/problems/<code>` explains each.',
    'Fields, endpoints, codes and values may be added to v1: ignore unknown ones.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const bearerAuth = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'The `token` from POST /auth/login or, for programs, an API key (`fdk_…`) from POST /api_keys.',
}

const membersOfFaults = Object.fromEntries(
  Object.entries(faultMembers).map(([name, description]) => [name, { description }]),
)

const faultSchema: Json = {
  title: 'Fault',
  description: 'One fault of a request; `pointer`, `parameter` or `header` locates it.',
  type: 'object',
  properties: {
    pointer: {
      type: 'string',
      description: 'JSON pointer into the body; names over 64 characters are truncated.',
    },
    parameter: { type: 'string', description: 'Name of a query parameter.' },
    header: { type: 'string', description: 'Name of a request header.' },
    code: { type: 'string', description: `One of ${faultCodes.join(', ')}; more may be added.` },
    message: { type: 'string' },
    allowed: { type: 'array', items: {}, description: 'The accepted values.' },
    limit: { description: 'The bound that the value exceeds.' },
    given: { description: 'The value that was sent.' },
    ...membersOfFaults,
  },
  required: ['code', 'message'],
}

const problemSchema: Json = {
  title: 'Problem',
  description: 'RFC 9457. Codes are stable, texts are not. Some codes have additional members.',
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri-reference', examples: ['/problems/not_found'] },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri-reference' },
    code: { type: 'string', examples: Object.keys(problemKinds).slice(0, 3) },
    request_id: { type: 'string' },
    retry: { type: 'string', enum: ['transient', 'correctable', 'terminal'] },
    errors: { type: 'array', items: { $ref: '#/components/schemas/Fault' } },
  },
  required: [
    'type',
    'title',
    'status',
    'detail',
    'instance',
    'code',
    'request_id',
    'retry',
    'errors',
  ],
}

function pathsOf(endpoints: readonly Endpoint[], components: Components) {
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const path = templateOf(endpoint.path)
    for (const method of methodsOf(endpoint)) {
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: operationOf(endpoint, method, components),
      }
    }
  }
  return paths
}

function operationOf(endpoint: Endpoint, method: Method, components: Components): Json {
  const { tag, summary, permission } = endpoint
  return {
    operationId: operationIdOf(endpoint, method),
    tags: [tag],
    summary,
    description: descriptionOf(endpoint),
    ...(permission ? { 'x-required-roles': rolesWith(permission) } : { security: [] }),
    parameters: parametersOf(endpoint, method, components),
    ...requestBodyOf(endpoint, method, components),
    responses: responsesOf(endpoint, method, components),
  }
}

/**
 * An endpoint with several methods is named after the first; PATCH becomes `patch…` beside
 * `update…`.
 */
function operationIdOf(endpoint: Endpoint, method: Method): string {
  const { operation } = endpoint
  if (methodsOf(endpoint)[0] === method) return operation
  const renamed = operation.replace(/^[a-z]+/, method.toLowerCase())
  return renamed === operation ? `${operation}By${method}` : renamed
}

function descriptionOf({ description, permission }: Endpoint): string {
  const access = permission ? accessText(permission) : 'No authentication required.'
  return [description, access].filter(Boolean).join('\n\n')
}

function accessText(permission: Permission): string {
  const roles = rolesText(rolesWith(permission))
  return isForPeopleOnly(permission) ? `${roles} API keys are refused regardless of role.` : roles
}

function rolesText(roles: readonly string[]): string {
  const last = roles.at(-1)
  const list = roles.length > 1 ? `${roles.slice(0, -1).join(', ')} or ${last}` : last
  return `Requires the role ${list}.`
}

function requestBodyOf(endpoint: Endpoint, method: Method, components: Components): Json {
  const { body, example } = endpoint
  if (!body || !takesBody(method)) return {}
  const media = {
    schema: publicSchema(body, components),
    ...(example === undefined ? {} : { example }),
  }
  const content = {
    'application/json': media,
    ...(method === 'PATCH' ? { 'application/merge-patch+json': media } : {}),
  }
  return { requestBody: { required: needsBody(endpoint), content } }
}

/** The body may be empty if it has no required fields. */
function needsBody(endpoint: Endpoint): boolean {
  const { required = [], properties = {} } = endpoint.body as {
    required?: string[]
    properties?: Json
  }
  const creates = statusOf(endpoint) === 201 && !hasId(endpoint)
  return required.length > 0 || (creates && Object.keys(properties).length > 0)
}
