/** The SDK's table of operations and the types of its methods. */

import type { Operation } from './document.ts'
import type { Json } from './json.ts'
import { idNamesOf, methodOf, resourceOf } from './names.ts'

const header = '// Made by "npm run generate" from openapi.json.\n'

const byResource = (operations: readonly Operation[]): [string, Operation[]][] =>
  [...Map.groupBy(operations, resourceOf)].sort(([one], [other]) => (one < other ? -1 : 1))

type Kind = 'stream' | 'list' | 'raw' | 'read' | 'write'

export function kindOf({ id, method, parameters, answer }: Operation): Kind {
  if (id === 'streamEvents') return 'stream'
  if (parameters.some(({ name }) => name === 'cursor')) return 'list'
  const types = Object.keys(answer)
  if (types.length > 0 && !types.includes('application/json')) return 'raw'
  return method === 'GET' ? 'read' : 'write'
}

/** The kind of argument after the ids. A reason alone is given with the other options of a call. */
function inputOf({
  body,
  parameters,
  takesCsv,
  isBodyRequired,
}: Operation): 'body' | 'query' | 'csv' | null {
  if (takesCsv) return 'csv'
  if (body && isReasonOnly(body) && !isBodyRequired) return null
  if (body && Object.keys(body.properties ?? { any: true }).length > 0) return 'body'
  return parameters.some((each) => each.in === 'query') ? 'query' : null
}

const isReasonOnly = ({ properties }: Json): boolean =>
  Object.keys(properties ?? {}).join() === 'reason'

/** `operations.ts`: what the methods do at run time. */
export function operationsText(operations: readonly Operation[]): string {
  const resources = byResource(operations).map(
    ([resource, group]) => `  ${resource}: \`\n${group.map(lineOf).join('')}\`,\n`,
  )
  return `${header}/** Parameters of one text; the others take several values. */
export const texts: readonly string[] = [${plainTexts(operations)}]

/** The methods of each resource, a line each, as \`operationIn()\` reads them. */
export const operations: Readonly<Record<string, string>> = {
${resources.join('')}}
`
}

function plainTexts(operations: readonly Operation[]): string {
  const isText = ({ schema: { type, format, enum: values } }: Operation['parameters'][number]) =>
    type === 'string' && format === undefined && values === undefined
  const parameters = operations.flatMap((each) => each.parameters)
  const names = new Set(parameters.filter(isText).map(({ name }) => name))
  return [...names].map((name) => `'${name}'`).join(', ')
}

/** Name, method, path, and words that say how it differs from a plain read. */
function lineOf(operation: Operation): string {
  const kind = kindOf(operation)
  const list = lists[operation.id]
  const words = [
    methodOf(operation),
    operation.method,
    operation.path,
    inputOf(operation),
    kind === 'read' || kind === 'write' ? undefined : kind,
    operation.isVersioned ? 'versioned' : undefined,
    list && `of=${list}`,
  ]
  return `${words.filter(Boolean).join(' ')}\n`
}

/** `resources.ts`: an interface for each resource. */
export function resourcesText(operations: readonly Operation[]): string {
  const groups = byResource(operations)
  const interfaces = groups.map(([resource, group]) => {
    const methods = group.map((each) => methodText(each, operations))
    return `export interface ${interfaceOf(resource)} {\n${methods.join('')}}\n`
  })
  const members = groups.map(([resource]) => `  readonly ${resource}: ${interfaceOf(resource)}\n`)
  return `${header}import type { Call, PageCall, WriteCall } from './call.ts'
import type { CallOptions, Target, WriteOptions } from './transport/options.ts'
import type { Body, Item, Query, Result } from './operation-types.ts'
import type { EventStream, StreamOptions } from './transport/stream.ts'

${interfaces.join('\n')}
/** The methods of the API by resource. */
export interface Resources {
${members.join('')}}
`
}

const interfaceOf = (resource: string) => `${resource[0]?.toUpperCase()}${resource.slice(1)}`

function methodText(operation: Operation, all: readonly Operation[]): string {
  const { id, method } = operation
  const kind = kindOf(operation)
  const input = inputOf(operation)
  const isWrite = method !== 'GET'
  const parametersWith = (query: string) =>
    kind === 'stream'
      ? ['options?: StreamOptions']
      : [
          ...idNamesOf(operation).map((name) => `${name}: Target`),
          ...(input === 'query' ? [query] : []),
          ...(input === 'body' ? [bodyText(operation)] : []),
          ...(input === 'csv' ? ['csv: string', `query: Query<'${id}'>`] : []),
          `options?: ${isWrite ? 'WriteOptions' : 'CallOptions'}`,
        ]
  const signature = (query: string, answer: string) =>
    `${hoverText(operation)}  ${methodOf(operation)}(${parametersWith(query).join(', ')}): ${answer}\n`
  const asFile = signature(`query: Query<'${id}'> & { format: 'csv' }`, 'Call<Response>')
  const usual = signature(`query?: Query<'${id}'>`, answerText(operation, all))
  return hasFile(operation) ? asFile + usual : usual
}

/** Whether it answers a file, too, where that is asked for. */
const hasFile = (operation: Operation): boolean =>
  kindOf(operation) === 'read' && 'text/csv' in operation.answer

/** The text that editors show: what one reads there, and a link to the rest. */
function hoverText({ summary, description, method, path, tag }: Operation): string {
  const [first = '', access = ''] = description.includes('\n\n')
    ? description.split('\n\n')
    : ['', description]
  const lines = [`${summary}. \`${method} ${path}\``, ...(first ? [sentences(first)] : []), access]
  const see = `@see ${reference}#tag/${slugOf(tag)}/${method}${path}`
  return `  /**\n${[...lines, see].map((line) => `   * ${line}\n`).join('')}   */\n`
}

/** The reference of a service that was started as the documents say. */
const reference = 'http://127.0.0.1:8080/docs'

const slugOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')

/** The first two. */
const sentences = (text: string): string =>
  text
    .split(/(?<=[.:]) (?=[A-Z`])/)
    .slice(0, 2)
    .join(' ')
    .replace(/:$/, '.')

/** The member of a body that a list given in its place stands for. */
const lists: Readonly<Record<string, string>> = { proposeChangeSet: 'operations' }

function bodyText({ id, isBodyRequired }: Operation): string {
  const list = lists[id]
  const also = list === undefined ? '' : ` | Body<'${id}'>['${list}']`
  return `body${isBodyRequired ? '' : '?'}: Body<'${id}'>${also}`
}

function answerText(operation: Operation, all: readonly Operation[]): string {
  const { id } = operation
  const kind = kindOf(operation)
  if (kind === 'stream') return 'EventStream'
  if (kind === 'list') return `PageCall<Item<'${id}'>>`
  if (kind === 'raw') return 'Call<Response>'
  if (!operation.hasDryRun) return `Call<Result<'${id}'>>`
  const read = all.find(({ method, path }) => method === 'GET' && path === operation.path)
  const isDeletion = operation.method === 'DELETE' && read
  return isDeletion
    ? `WriteCall<Result<'${id}'>, Result<'${read.id}'>>`
    : `WriteCall<Result<'${id}'>>`
}
