import { isDeepStrictEqual } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { features } from '../../src/features/index.ts'
import { methodsOf } from '../../src/http/endpoint.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { type ProblemCode, problemKinds } from '../../src/problems/codes.ts'
import { membersOf } from '../../src/problems/members.ts'
import { keysOf } from '../../src/values/objects.ts'
import { byLink } from '../support/cases/people/people-cases.ts'

type Json = Record<string, unknown>
type Operation = Json & { path: string; method: string; responses: Record<string, Json> }

const endpoints = features.flatMap((feature) => feature.endpoints)
const document = openApiDocument(features, { version: '1.2.3' })
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

/** The schemas that a schema combines, flat. */
const partsOf = (schema: Json): Json[] => {
  const { allOf, anyOf, ...own } = resolved(schema)
  return [own, ...[allOf ?? [], anyOf ?? []].flat().flatMap((each) => partsOf(each as Json))]
}

const fieldsOf = (schema: Json): Record<string, Json> =>
  Object.assign({}, ...partsOf(schema).map(({ properties }) => properties ?? {}))

/** The codes of problems with this schema. */
const codesIn = (schema: Json): ProblemCode[] =>
  partsOf(schema).flatMap(({ properties }) => {
    const { code } = (properties ?? {}) as { code?: { enum?: ProblemCode[] } }
    return code?.enum ?? []
  })

describe('the OpenAPI document', () => {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  })

  beforeAll(() => {
    addFormats.default(ajv)
    // The whole document under one name, so that references inside it resolve.
    ajv.addVocabulary([
      'openapi',
      'info',
      'servers',
      'tags',
      'security',
      'paths',
      'webhooks',
      'components',
    ])
    ajv.addSchema(document, 'openapi')
  })

  test('has an operation for each method of each endpoint', () => {
    const expected = endpoints.flatMap((endpoint) => methodsOf(endpoint))
    expect(operations).toHaveLength(expected.length)
  })

  test('says for programs which roles may use each operation', () => {
    for (const { operationId, security, 'x-required-roles': roles } of operations) {
      const isPublic = isDeepStrictEqual(security, [])
      expect([operationId, isPublic || Array.isArray(roles)]).toEqual([operationId, true])
    }
    const created = operations.find(({ operationId }) => operationId === 'createMember')
    expect(created?.['x-required-roles']).toEqual(['owner', 'admin'])
  })

  test('describes each tag that an operation uses', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
  })

  test('names its components', () => {
    const { components = {} } = document as Json & { components?: Json }
    const names = Object.values(components).flatMap((group) => Object.keys(group as Json))
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([])
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

  test('names what each operation answers without a token and beyond the rate', () => {
    for (const { operationId, security, responses } of operations) {
      if (isDeepStrictEqual(security, [])) continue
      const statuses = Object.keys(responses)
      expect([operationId, statuses]).toEqual([operationId, expect.arrayContaining(['401', '429'])])
    }
  })

  test('lists the codes of every error', () => {
    for (const { operationId, responses } of operations) {
      const errors = Object.entries(responses).filter(([status]) => !/^[23]/.test(status))
      expect([operationId, errors.length]).not.toEqual([operationId, 0])
      for (const [status, response] of errors) {
        const { content } = resolved(response) as { content: Record<string, Json> }
        expect(Object.keys(content)).toEqual(['application/problem+json'])
        const codes = codesIn(content['application/problem+json']?.schema as Json)
        expect([operationId, status, codes.length]).not.toEqual([operationId, status, 0])
        for (const code of codes) {
          const { status: own } = problemKinds[code]
          // The status for people who are logged in, and lack a factor.
          const other = code === 'second_factor_required' ? ['403'] : []
          expect([operationId, code, status]).toEqual([
            operationId,
            code,
            expect.toBeOneOf([String(own), 'default', ...other]),
          ])
        }
      }
    }
  })

  test('types the members of every code that has some', () => {
    const schemas = document.components.schemas as Record<string, Json>
    // No documented method is refused, so no response has this code.
    const answered = keysOf(problemKinds).filter((code) => code !== 'method_not_allowed')
    for (const code of answered) {
      const members = Object.keys(membersOf(code))
      const own = Object.values(schemas).filter(
        ({ allOf }) => allOf !== undefined && codesIn({ allOf }).includes(code),
      )
      const shown = own.flatMap((schema) => Object.keys(fieldsOf(schema)))
      expect([code, shown]).toEqual([code, expect.arrayContaining(members)])
    }
  })

  test('repeats no parameter, no body of a request and no response', () => {
    const inline = operations.flatMap(({ parameters, requestBody = {}, responses }) =>
      [...(parameters as Json[]), requestBody as Json, ...Object.values(responses)].filter(
        (part) => !part.$ref && Object.keys(part).length > 0,
      ),
    )
    const texts = inline.map((part) => JSON.stringify(part))
    expect(texts.filter((text, at) => texts.indexOf(text) < at)).toEqual([])
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

  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const { content } = resolved((requestBody ?? {}) as Json)
    const media = (content ?? {}) as Record<string, Json>
    const { schema, example } = media['application/json'] ?? {}
    return isObject(schema) ? [{ operationId, schema, example }] : []
  })

  test('has an example of each body with fields, and only valid ones', () => {
    for (const { operationId, schema, example } of bodies) {
      if (Object.keys(fieldsOf(schema)).length > 0)
        expect({ operationId, example }).toMatchObject({ example: expect.anything() })
      if (example === undefined) continue
      const validate = ajv.compile(absolute(schema))
      expect([operationId, validate(example), validate.errors]).toEqual([operationId, true, null])
    }
  })

  test('has an example of each success, and only valid ones', () => {
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        if (!status.startsWith('2') || status === '204') continue
        const content = (resolved(response).content ?? {}) as Record<string, Json>
        for (const [type, { schema, example }] of Object.entries(content)) {
          const validate = ajv.compile(absolute(schema as Json))
          const place = [operationId, status, type]
          // Make one: npx vitest run --project service server/test/every/examples.test.ts -u
          expect([...place, example]).not.toEqual([...place, undefined])
          expect([...place, validate(example), validate.errors]).toEqual([...place, true, null])
        }
      }
    }
  })

  test('does not expose internal schema keywords', () => {
    const inner = ['money', 'trim', 'echoes', 'readOnlyFields', 'x-accepted', 'basedOn', 'stated']
    walk(document.components, '#', (part, place) => {
      if (place.endsWith('/properties')) return
      for (const keyword of inner) expect([place, keyword in part]).toEqual([place, false])
    })
  })

  test('requires a token except for public operations', () => {
    const open = operations.filter(
      ({ security }) => Array.isArray(security) && security.length === 0,
    )
    expect(open.map(({ operationId }) => operationId)).toEqual(['login', ...byLink])
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
    expect(headersOf('patchCampaign')).toEqual(['If-Match', 'Idempotency-Key', ...reasons])
    expect(headersOf('launchCampaign')).toEqual(['If-Match', 'Idempotency-Key', ...reasons])
    expect(headersOf('streamEvents')).toEqual(['Last-Event-ID'])
    expect(headersOf('login')).toEqual([])
  })
})

/** References of the document, as seen from outside it. */
const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
