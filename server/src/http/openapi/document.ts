import type { TSchema } from 'typebox'
import {
  type KeyRole,
  keyRoles,
  roles as memberRoles,
  type Permission,
  readingRoles,
} from '../../identity/permissions.ts'
import { eventPatterns } from '../../kernel/event-types.ts'
import { keywordsOf } from '../../schema/keywords.ts'
import { patchOf } from '../../schema/merge-patch.ts'
import { type Endpoint, type Method, methodsOf, statusOf } from '../endpoint.ts'
import type { Feature } from '../feature.ts'
import { apiPrefix } from '../pipeline.ts'
import { type Route, routesOf } from '../request/path-ids.ts'
import { withExample, withExamples } from './examples.ts'
import { parametersOf, templateOf } from './parameters.ts'
import { problemSchemas } from './problems.ts'
import { responseHeaders } from './response-headers.ts'
import { responsesOf, type Service } from './responses.ts'
import { type Components, type Json, publicSchema, withKnown } from './schemas.ts'
import { type Part, pascal, share } from './sharing.ts'
import { hasId, takesBody } from './traits.ts'
import { webhookParameters, webhookResponses, webhooksOf } from './webhooks.ts'

export type OpenApiDocument = {
  openapi: string
  info: Json
  servers: Json[]
  tags: Json[]
  security: Json[]
  paths: Record<string, Record<string, Json>>
  webhooks: Record<string, Record<string, Json>>
  components: Record<string, Json>
}

/** Selects events, in subscriptions and filters. */
function eventPattern(features: readonly Feature[]): Json {
  const types = features
    .flatMap(({ events = [] }) => events)
    .flatMap((each) => Object.keys(each.types))
  const description = 'An event type, `campaign.*` for all of a resource, or `*` for all.'
  const pattern = '^(\\*|[a-z_]+\\.(\\*|[a-z_]+))$'
  return withKnown(eventPatterns(types), { description, type: 'string', maxLength: 80, pattern })
}

type About = { version: string; serverUrl?: string }

/** Builds the OpenAPI 3.1 document from the features' validation and reply schemas. */
export function openApiDocument(
  features: readonly Feature[],
  { version, serverUrl = '' }: About,
): OpenApiDocument {
  const components = problemSchemas()
  components.set('EventPattern', eventPattern(features))
  const { paths, parameters, requestBodies, responses } = pathsOf(routesOf(features), components)
  const webhooks = webhooksOf(features, components)
  return {
    openapi: '3.1.1',
    info: { ...info, version },
    servers: [{ url: `${serverUrl}${apiPrefix}` }],
    tags: features.flatMap(({ tag }) => tag ?? []),
    security: [{ bearerAuth: [] }],
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      parameters: { ...parameters, ...webhookParameters },
      requestBodies,
      responses: { ...responses, ...webhookResponses },
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
    'PUT and PATCH set the fields sent. A PATCH of type `application/merge-patch+json` (RFC 7396) also merges objects such as `metadata` member by member: null removes one.',
    'Every response has an `X-Request-Id`; to an authenticated request also `RateLimit`, `RateLimit-Policy`, `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, which are described with 429.',
    'Times are RFC 3339 in UTC. Unknown body fields and query parameters are refused.',
    '`HEAD` is supported wherever `GET` is. A known path with another method answers 405 with `Allow`.',
    'Every error is a problem document (RFC 9457) with a stable `code`; `/problems/<code>` explains each.',
    'Fields, endpoints, codes and values may be added to v1: ignore unknown ones.',
  ].join('\n\n'),
  contact: { name: 'The Flightdeck project' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const bearerAuth = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'The `token` from POST /auth/login or, for programs, an API key (`fdk_…`) from POST /api_keys.',
}

/** An operation before its recurring parts become components. */
type Draft = {
  path: string
  method: Method
  head: Json
  parameters: Part[]
  body: Part | null
  responses: [string, Part][]
}

type Paths = Pick<OpenApiDocument, 'paths'> &
  Record<'parameters' | 'requestBodies' | 'responses', Json>

function pathsOf(routes: readonly Route[], components: Components): Paths {
  const drafts = routes.flatMap((route) =>
    methodsOf(route).map((method) => draftOf(route, method, { routes, components })),
  )
  const parameters = share(
    'parameters',
    drafts.flatMap((draft) => draft.parameters),
  )
  const parts = drafts.flatMap((draft) => draft.responses.map(([, part]) => part))
  const responses = share('responses', parts)
  const bodies = share(
    'requestBodies',
    drafts.flatMap(({ body }) => body ?? []),
  )
  const paths: OpenApiDocument['paths'] = {}
  for (const draft of drafts) {
    const operation = {
      ...draft.head,
      parameters: draft.parameters.map(parameters.refer),
      ...(draft.body && { requestBody: bodies.refer(draft.body) }),
      responses: Object.fromEntries(
        draft.responses.map(([status, part]) => [
          status,
          withExample(responses.refer(part), `${draft.head.operationId} ${status}`),
        ]),
      ),
    }
    paths[draft.path] = { ...paths[draft.path], [draft.method.toLowerCase()]: operation }
  }
  return {
    paths,
    parameters: parameters.components,
    requestBodies: bodies.components,
    responses: withExamples(responses.components),
  }
}

function draftOf(route: Route, method: Method, service: Service): Draft {
  const { tag, summary, permission } = route
  return {
    path: templateOf(route.path),
    method,
    head: {
      operationId: operationIdOf(route, method),
      tags: [tag.name],
      summary,
      description: descriptionOf(route),
      ...(route.deprecated && { deprecated: true }),
      ...(permission ? { 'x-required-roles': permission.roles } : { security: [] }),
    },
    parameters: parametersOf(route, method, service.components),
    body: requestBodyOf(route, method, service.components),
    responses: responsesOf(route, method, service),
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

function accessText({ roles, isForPeopleOnly }: Permission): string {
  const text = rolesText(roles)
  return isForPeopleOnly ? `${text} API keys are refused regardless of role.` : text
}

function rolesText(roles: readonly KeyRole[]): string {
  const hasAll = (all: readonly KeyRole[]) => all.every((role) => roles.includes(role))
  if (hasAll(keyRoles)) return 'Any role.'
  if (hasAll(readingRoles)) return 'Any role but provisioner.'
  if (hasAll(memberRoles)) return 'Any role but reporter.'
  return `${roles.length > 1 ? 'Roles' : 'Role'}: ${roles.join(', ')}.`
}

function requestBodyOf(endpoint: Endpoint, method: Method, components: Components): Part | null {
  const { body, example, takes } = endpoint
  if (takes) {
    const content = { [takes]: { schema: { type: 'string' } } }
    return { names: [pascal(endpoint.operation)], json: { required: true, content } }
  }
  if (!body || !takesBody(method) || !hasFields(body)) return null
  const plain = {
    schema: publicSchema(body, components),
    ...(example !== undefined && { example }),
  }
  const patch = () => ({ schema: publicSchema(patchOf(body), components) })
  const content = {
    'application/json': plain,
    ...(method === 'PATCH' && { 'application/merge-patch+json': patch() }),
  }
  const { title = `${fieldsOf(body).map(pascal).join('And')}Input` } = keywordsOf(body)
  return { names: [title], json: { required: needsBody(endpoint), content } }
}

const fieldsOf = (body: TSchema) => Object.keys(keywordsOf(body).properties ?? {})

const hasFields = (body: TSchema) => fieldsOf(body).length > 0

/** The body may be empty if it has no required fields. */
function needsBody(endpoint: Endpoint): boolean {
  const { required = [], properties = {} } = keywordsOf(endpoint.body ?? {})
  const creates = statusOf(endpoint) === 201 && !hasId(endpoint)
  return required.length > 0 || (creates && Object.keys(properties).length > 0)
}
