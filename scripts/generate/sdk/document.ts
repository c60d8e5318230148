/** The part of the OpenAPI document that the SDK's types need: an editor reads them at each key. */

import { Type } from 'typebox'
import type { OpenApiDocument } from '../../../server/src/http/openapi/document.ts'
import { type ProblemCode, problemKinds } from '../../../server/src/problems/codes.ts'
import { membersOf } from '../../../server/src/problems/members.ts'
import { described, withSharedFields } from './fields.ts'
import { type Json, list, object } from './json.ts'

export type Parameter = {
  name: string
  in: string
  required: boolean
  description: string
  schema: Json
}

export type Operation = {
  id: string
  summary: string
  /** Details beyond the summary, and the roles. */
  description: string
  tag: string
  method: string
  path: string
  parameters: readonly Parameter[]
  body: Json | null
  isBodyRequired: boolean
  /** The body is a file. */
  takesCsv: boolean
  /** The content of the answer by media type; empty for none. */
  answer: Json
  /** Accepts `If-Match`. */
  isVersioned: boolean
  hasDryRun: boolean
}

/** A literal that `openEnums` leaves in enums, for `openedText` to replace. */
const openMark = '@open'

/** Values that a newer service may send, and takes back; no literal is one. */
const other = `
declare const other: unique symbol;
/** A value that this version does not list: a newer service sent it. */
export type Other = string & {
	readonly [other]: true;
};
`

/** Enums stay open for what a newer service sends. The operations say all that the paths say. */
export const openedText = (text: string): string =>
  `${withoutPaths(text)
    .replaceAll(`"${openMark}"`, 'Other')
    .replaceAll(/^ *\/\*\* @enum \{string\} \*\/\n/gm, '')
    .replaceAll(/^ *\* @enum \{string\}\n/gm, '')
    // Editors show the text alone.
    .replaceAll('* @description ', '* ')
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */')
    .replaceAll(/^ +headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, '')
    .replaceAll(/^ *(?:query|header|path|cookie|requestBody)\?: never;\n/gm, '')
    // A tab instead of four spaces: a fifth of the file is indentation.
    .replaceAll(
      /^ +/gm,
      (spaces) => '\t'.repeat(spaces.length / 4) + ' '.repeat(spaces.length % 4),
    )}${other}`

/** Without the interface of all paths, which ends with the first brace at the beginning of a line. */
function withoutPaths(text: string): string {
  const start = text.indexOf('export interface paths {')
  const end = text.indexOf('\n}\n', start) + '\n}\n'.length
  return text.slice(0, start) + text.slice(end)
}

/** The operations of the document, in its order. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.entries(object(document.paths)).flatMap(([path, methods]) =>
    Object.entries(object(methods)).map(([method, operation]) =>
      operationOf({ path, method, operation: resolved(document, operation) }),
    ),
  )

const reference = /^#\/components\/(parameters|responses|requestBodies)\/(.+)$/

/** The operation with its parameters and answers in place of references to them. */
function resolved(document: OpenApiDocument, operation: unknown): Json {
  const target = (value: unknown): Json => {
    const [, group = '', name = ''] = reference.exec(String(object(value).$ref)) ?? []
    const found = object(object(document.components)[group])[name]
    return found === undefined ? object(value) : { ...object(found), $ref: object(value).$ref }
  }
  const { parameters, responses, requestBody, ...others } = object(operation)
  const answers = Object.entries(object(responses)).map(([status, each]) => [status, target(each)])
  return {
    ...others,
    parameters: list(parameters).map(target),
    responses: Object.fromEntries(answers),
    ...(requestBody === undefined ? {} : { requestBody: target(requestBody) }),
  }
}

type Found = { path: string; method: string; operation: Json }

function operationOf({ path, method, operation }: Found): Operation {
  const given = list(operation.parameters).map(object)
  const body = object(operation.requestBody)
  return {
    id: String(operation.operationId),
    summary: String(operation.summary),
    description: String(operation.description),
    tag: String(list(operation.tags)[0]),
    method: method.toUpperCase(),
    path,
    parameters: given.flatMap(parameterOf),
    body: jsonOf(body) ? object(jsonOf(body)) : null,
    isBodyRequired: body.required === true,
    takesCsv: Object.keys(object(body.content)).includes('text/csv'),
    answer: object(answerOf(object(operation.responses)).content),
    isVersioned: given.some(({ $ref }) => String($ref).endsWith('/IfMatch')),
    hasDryRun: given.some(({ name }) => name === 'validate_only'),
  }
}

/** How several values are sent is no matter of the client's users. */
const commaText = /^Comma-separated or repeated\. ?/

/** Headers are options of every call, so they are no parameters here. */
function parameterOf(given: Json): Parameter[] {
  const { name, required, schema, description } = given
  const [text, several] = list(object(schema).anyOf).map(object)
  const place = String(given.in)
  if (place !== 'query' || name === 'validate_only') return []
  return [
    {
      name: String(name),
      in: place,
      required: required === true,
      description: String(description ?? '').replace(commaText, ''),
      // The client joins the values of a list.
      schema: several?.type === 'array' && text?.type === 'string' ? several : object(schema),
    },
  ]
}

const jsonOf = ({ content }: Json) => object(object(content)['application/json']).schema

/** The answer of a real run: where it has another status than a dry run, the second success. */
function answerOf(responses: Json): Json {
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
  // The first has either, where a parameter decides which object it makes.
  if (list(object(jsonOf(object(responses[200]))).anyOf).length > 0) return object(responses[200])
  const status = successes.find((each) => each === '201' || each === '202' || each === '204')
  return object(responses[status ?? successes[0] ?? ''])
}

/** Everything that types need, and nothing else. */
export function trimmed(document: OpenApiDocument, alsoNamed: readonly string[]): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operationsOf(document)) {
    const shown = withoutExamples(operationFor(operation))
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: shown }
  }
  const schemas = object(document.components.schemas)
  const inputs = referencesFrom(Object.values(paths).flatMap(bodiesOf), schemas)
  const named = alsoNamed.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const used = referencesFrom([...Object.values(paths), ...named], schemas)
  const shown = Object.entries(schemas).flatMap(([name, schema]) => {
    if (!used.has(name)) return []
    const plain = described(withKnownOnly(withoutExamples(schema)), schemas)
    return [[name, inputs.has(name) ? plain : openEnums(plain)]]
  })
  return {
    openapi: document.openapi,
    info: document.info,
    paths,
    components: { schemas: withSharedFields(Object.fromEntries(shown)) },
  }
}

const bodiesOf = (methods: Json) => Object.values(methods).map((each) => object(each).requestBody)

/** The names of all schemas that the values refer to, however indirectly. */
function referencesFrom(values: readonly unknown[], schemas: Json): Set<string> {
  const found = new Set<string>()
  const queue = [...values]
  for (const value of queue) {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    )) {
      if (!found.has(name)) queue.push(schemas[name])
      found.add(name)
    }
  }
  return found
}

/**
 * Known texts alone, where others are accepted too: the compiler would take each text. What the service
 * takes beside them is the same in another spelling.
 */
function withKnownOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKnownOnly)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, ...others } = object(value)
  const [known, other] = list(anyOf).map(object)
  if (known?.enum !== undefined && other?.type === 'string')
    return { ...others, ...object(openEnums(known)) }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withKnownOnly(each)]),
  )
}

function openEnums(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openEnums)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      name === 'enum' &&
      Array.isArray(each) &&
      !each.includes(openMark) &&
      each.every((one) => typeof one === 'string')
        ? [name, [...each, openMark]]
        : [name, openEnums(each)],
    ),
  )
}

const operationFor = ({ id, parameters, body, isBodyRequired, answer }: Operation): Json => ({
  operationId: id,
  parameters: openEnums(parameters),
  ...(body && {
    requestBody: { required: isBodyRequired, content: { 'application/json': { schema: body } } },
  }),
  responses: {
    200: { description: '', content: Object.keys(answer).length > 0 ? answer : undefined },
  },
})

function withoutExamples(value: unknown, areFields = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutExamples(each))
  if (typeof value !== 'object' || value === null) return value
  // A field may be called so.
  const isExample = (name: string, each: unknown) =>
    !areFields && (name === 'example' || (name === 'examples' && Array.isArray(each)))
  const kept = Object.entries(value).filter(([name, each]) => !isExample(name, each))
  return Object.fromEntries(
    kept.map(([name, each]) => [name, withoutExamples(each, !areFields && name === 'properties')]),
  )
}

const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(problemKinds, text)

/** Adds a schema with the members of each problem, by its code. */
export function withProblems(document: OpenApiDocument): OpenApiDocument {
  const codes = Object.keys(problemKinds).filter(isProblemCode)
  const properties = codes.map((code) => [
    code,
    Type.Object(membersOf(code), { additionalProperties: true }),
  ])
  const ProblemMembers = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: codes,
  }
  const { schemas, ...others } = document.components
  return { ...document, components: { ...others, schemas: { ...schemas, ProblemMembers } } }
}
