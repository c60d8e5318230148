import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'
import { features } from '../../src/features/index.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { routesOf } from '../../src/http/request/path-ids.ts'
import type { Reply, World } from './world.ts'

export type Json = Record<string, unknown>
export type Operation = {
  name: string
  method: string
  path: string
  parameters: Json[]
  more: Json
}

export const endpoints = routesOf(features)
const document = openApiDocument(features, { version: '0.0.0' })

/** The target of a `$ref` of our OpenAPI document. */
export const resolve = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, key) => (part as Json)[key], document) as Json

const resolved = (part: Json): Json => (typeof part.$ref === 'string' ? resolve(part.$ref) : part)

/** Every operation of the document. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, more]) => ({
    name: String(more.operationId),
    method: method.toUpperCase(),
    path,
    parameters: (more.parameters as Json[]).map(resolved),
    more,
  })),
)

// Each validator is made once and used a few times: speed of making it counts.
const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')
/** The document for replies to `fields`, where any field may be missing. */
const partial = JSON.parse(
  JSON.stringify(document, (key, value) => (key === 'required' ? undefined : value)),
)
ajv.addSchema(partial, 'partial')
const validators = new Map<string, ValidateFunction>()

/** References of the document, as seen from outside it. */
const absolute = (schema: Json, name: string): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${name}#/`))

/** The documented response with this status, or for what no operation decides. */
function responseOf({ more }: Operation, status: number): Json | undefined {
  const responses = more.responses as Record<string, Json>
  return responses[String(status)] ?? responses.default
}

/** The schema of an answer's body, or undefined when the answer is not documented. */
function validatorFor(
  operation: Operation,
  reply: Reply,
  source: string,
): ValidateFunction | undefined {
  const response = responseOf(operation, reply.statusCode)
  const type = String(reply.headers['content-type']).split(';')[0] ?? ''
  const content = response && (resolved(response).content as Record<string, Json> | undefined)
  const schema = content?.[type]?.schema
  if (!schema) return undefined
  const key = `${operation.name} ${reply.statusCode} ${type} ${source}`
  const validate = validators.get(key) ?? ajv.compile(absolute(schema as Json, source))
  validators.set(key, validate)
  return validate
}

const isJson = (reply: Reply) => /[/+]json(?:;|$)/.test(String(reply.headers['content-type']))

/** Fails when the answer is not documented. */
export function expectDocumented(operation: Operation, reply: Reply, search = ''): void {
  const { name } = operation
  const summary = { name, status: reply.statusCode, body: reply.body.slice(0, 500) }
  const isDocumented = responseOf(operation, reply.statusCode) !== undefined
  expect({ ...summary, isDocumented }).toMatchObject({ isDocumented: true })
  if (reply.body === '') return
  const isSelected = reply.statusCode === 200 && /[?&]fields=/.test(search)
  const validate = validatorFor(operation, reply, isSelected ? 'partial' : 'openapi')
  const body = isJson(reply) ? reply.json() : reply.body
  if (reply.statusCode >= 400)
    expect({ ...summary, own: body.status }).toMatchObject({ own: reply.statusCode })
  const isValid = validate?.(body)
  expect({ ...summary, isValid, errors: validate?.errors ?? null }).toMatchObject({ isValid: true })
}

const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^/api/v1${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The operation of a request; literal paths win, as in the router. */
export function operationOf(method: string, url: string): Operation | undefined {
  const path = url.split('?', 1)[0] ?? url
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = patterns
    .filter(({ pattern }) => pattern.test(path))
    .map(({ operation }) => operation)
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length)
  return found.find((each) => each.path === found[0]?.path && each.method === wanted)
}

type Webhook = { post: { requestBody: { content: { 'application/json': { schema: Json } } } } }

/** The schemas of the bodies that webhook endpoints receive. */
const bodies = Object.values(document.webhooks).map((item) => {
  const { requestBody } = (item as Webhook).post
  const { schema } = requestBody.content['application/json']
  return ajv.compile(absolute(schema, 'openapi'))
})

/** Fails unless exactly one webhook of the document describes the event. */
export function expectWebhook(event: { type: string }): void {
  const matching = bodies.filter((validate) => validate(event))
  expect([event.type, matching.length]).toEqual([event.type, 1])
}

const isProblem = ajv.compile({ $ref: 'openapi#/components/schemas/Problem' })

/** Checks every further answer of the world's app against the document. */
export function watch<Watched extends World>(world: Watched): Watched {
  const { app } = world
  const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<Reply>
  const watched = async (options: InjectOptions): Promise<Reply> => {
    const reply = await inject(options)
    check(String(options.method ?? 'GET'), String(options.url), reply)
    return reply
  }
  Object.assign(app, { inject: watched })
  return world
}

function check(method: string, url: string, reply: Reply): void {
  const summary = { method, url: url.slice(0, 200), status: reply.statusCode }
  const requestId = String(reply.headers['x-request-id'])
  expect({ ...summary, requestId }).toMatchObject({
    requestId: expect.stringMatching(/^req_\w{26}$/),
  })
  const operation = operationOf(method, url)
  if (operation) expectDocumented(operation, reply, url)
  else if (reply.statusCode >= 400 && reply.body !== '')
    expect({ ...summary, isProblem: isProblem(reply.json()) }).toMatchObject({ isProblem: true })
}
