import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { features } from '../../src/features/index.ts'
import { methodsOf } from '../../src/http/endpoint.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'

type Json = Record<string, unknown>
type Operation = Json & { path: string; method: string; responses: Record<string, Json> }

const endpoints = features.flatMap((feature) => feature.endpoints)
const document = openApiDocument(endpoints, { version: '1.2.3' })
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, path, method }) as Operation),
)

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Every object of the document with its path. */
function walk(value: unknown, place: string, visit: (part: Json, place: string) => void): void {
  if (!isObject(value)) return
  if (!Array.isArray(value)) visit(value, place)
  for (const [key, part] of Object.entries(value)) walk(part, `${place}/${key}`, visit)
}

const resolve = (ref: string): unknown =>
  ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), document)

function resolved(part: Json): Json {
  const target = typeof part.$ref === 'string' ? resolve(part.$ref) : part
  if (!isObject(target)) throw new Error(`${part.$ref} leads nowhere`)
  return target
}

describe('the OpenAPI document', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false })

  beforeAll(() => {
    addFormats.default(ajv)
    // The whole document under one name, so that references inside it resolve.
    ajv.addVocabulary(['openapi', 'info', 'servers', 'tags', 'security', 'paths', 'components'])
    ajv.addSchema(document, 'openapi')
  })

  test('has an operation for each method of each endpoint', () => {
    const expected = endpoints.flatMap((endpoint) => methodsOf(endpoint))
    expect(operations).toHaveLength(expected.length)
  })

  test('describes each tag that an operation uses', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
  })

  test('gives each operation a unique name', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(names).toEqual([...new Set(names)])
  })

  test('has no dangling reference', () => {
    walk(document, '#', (part, place) => {
      if (typeof part.$ref === 'string')
        expect([place, resolve(part.$ref)]).not.toContain(undefined)
    })
  })

  test('describes each parameter of a path', () => {
    for (const { path, parameters } of operations) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const described = (parameters as Json[]).map(resolved).filter((each) => each.in === 'path')
      expect([path, described.map(({ name }) => name)]).toEqual([path, names])
    }
  })

  test('has a schema for every answer with a body', () => {
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        const content = (resolved(response).content ?? {}) as Record<string, Json>
        const isEmpty = status === '204' || status === '304'
        expect([operationId, status, Object.keys(content).length > 0]).toEqual([
          operationId,
          status,
          !isEmpty,
        ])
        for (const media of Object.values(content)) expect(media.schema).toBeDefined()
      }
    }
  })

  test('lists the codes of every error', () => {
    for (const { operationId, responses } of operations) {
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
      expect([operationId, errors.length]).not.toEqual([operationId, 0])
      for (const [status, response] of errors) {
        const text = JSON.stringify(resolved(response))
        expect([operationId, status, text.includes('"enum"')]).toEqual([operationId, status, true])
        expect(text).toContain('application/problem+json')
      }
    }
  })

  test('has only valid JSON Schemas', () => {
    const compiled = new Set<string>()
    walk(document, 'openapi#', (part, place) => {
      const text = JSON.stringify(part.schema)
      if (isObject(part.schema) && !compiled.has(text)) {
        expect(ajv.compile(absolute(part.schema))).toBeTypeOf('function')
        compiled.add(text)
      }
      if (/^openapi#\/components\/schemas\/\w+$/.test(place))
        expect(ajv.getSchema(place)).toBeTypeOf('function')
    })
  })

  test('has valid examples', () => {
    for (const { operationId, requestBody } of operations) {
      const media = (requestBody as { content?: Record<string, Json> } | undefined)?.content ?? {}
      const { schema, example } = media['application/json'] ?? {}
      if (example === undefined) continue
      const validate = ajv.compile(absolute(schema as Json))
      expect([operationId, validate(example), validate.errors]).toEqual([operationId, true, null])
    }
  })

  test('does not expose internal schema keywords', () => {
    const inner = ['money', 'trim', 'echoes', 'readOnlyFields', 'x-accepted']
    walk(document.components, '#', (part, place) => {
      if (place.endsWith('/properties')) return
      for (const keyword of inner) expect([place, keyword in part]).toEqual([place, false])
    })
  })

  test('requires a token except for public operations', () => {
    const open = operations.filter(
      ({ security }) => Array.isArray(security) && security.length === 0,
    )
    expect(open.map(({ operationId }) => operationId)).toEqual(['login'])
    expect(document.security).toEqual([{ bearerAuth: [] }])
  })

  test('documents exactly the headers that each operation uses', () => {
    const headersOf = (name: string) => {
      const operation = operations.find(({ operationId }) => operationId === name)
      const parameters = ((operation?.parameters ?? []) as Json[]).map(resolved)
      return parameters.filter((each) => each.in === 'header').map((each) => each.name)
    }
    const reasons = ['X-Audit-Reason', 'X-Override-Reason']
    expect(headersOf('createCampaign')).toEqual(['Idempotency-Key', ...reasons])
    expect(headersOf('createProxy')).toEqual(['Idempotency-Key', 'X-Audit-Reason'])
    expect(headersOf('getCampaign')).toEqual(['If-None-Match'])
    expect(headersOf('patchCampaign')).toEqual(['If-Match', ...reasons])
    expect(headersOf('launchCampaign')).toEqual(['If-Match', 'Idempotency-Key', ...reasons])
    expect(headersOf('streamEvents')).toEqual(['Last-Event-ID'])
    expect(headersOf('login')).toEqual([])
  })
})

/** References of the document, as seen from outside it. */
const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
