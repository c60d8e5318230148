/** The commands of the command line, from the OpenAPI document: `cli/operations.json`. */
import type { OpenApiDocument } from '../../../server/src/http/openapi/document.ts'
import { type Operation, operationsOf } from '../sdk/document.ts'
import { list, object } from '../sdk/json.ts'
import { idNamesOf, methodOf, resourceOf } from '../sdk/names.ts'
import { kindOf } from '../sdk/texts.ts'
import { type Flag, fieldsOf, flagOf } from './flags.ts'

/** A command of the API, as the command line reads it. */
type Command = {
  method: string
  path: string
  summary: string
  about: string
  ids: string[]
  flags: Record<string, Flag>
  answer?: 'list' | 'raw' | 'stream'
  body?: 'json' | 'csv' | 'reason'
  isMerge?: true
  hasDryRun?: true
  isVersioned?: true
  example: string
}

/** Resources and operations without a command: connectors are programs, logins are made by hand. */
const left = new Set([
  'connector',
  'auth.login',
  'auth.verifyLogin',
  'auth.getPasskeyOptions',
  'auth.loginByPasskey',
  'auth.beginLoginCode',
  'auth.claimLoginCode',
  'auth.logout',
  'auth.refresh',
  'auth.me',
])

export function cliText(document: OpenApiDocument): string {
  const known = operationsOf(document).filter(isCommand)
  const commands: Record<string, Record<string, Command>> = {}
  for (const operation of known) {
    const resource = kebab(resourceOf(operation))
    const verb = verbOf(operation)
    // A command for the PATCH, not for the PUT beside it.
    if (operation.method === 'PUT' && hasPatch(known, operation)) continue
    commands[resource] ??= {}
    if (commands[resource][verb]) throw new Error(`two operations are ${resource} ${verb}`)
    commands[resource][verb] = commandOf(operation, { document, words: `${resource} ${verb}` })
  }
  const resources = Object.entries(commands).sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = resources.map(([resource, verbs]) => {
    const each = Object.entries(verbs).map(
      ([verb, command]) => `"${verb}": ${JSON.stringify(command)}`,
    )
    return `"${resource}": {\n${each.join(',\n')}\n}`
  })
  const version = JSON.stringify(document.info.version)
  return `{"version": ${version}, "commands": {\n${lines.join(',\n')}\n}}\n`
}

const isCommand = (operation: Operation) =>
  !left.has(resourceOf(operation)) && !left.has(`${resourceOf(operation)}.${methodOf(operation)}`)

const hasPatch = (known: readonly Operation[], { path }: Operation) =>
  known.some((each) => each.method === 'PATCH' && each.path === path)

export const kebab = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(/[_.]/g, '-')

const verbOf = (operation: Operation): string => {
  const name = methodOf(operation)
  return kebab(name === 'patch' ? 'update' : name.replace(/^patch(?=[A-Z])/, 'update'))
}

/** Names of what stands in the path: `campaign` for an id, else as the path says, `month`. */
function idsOf(operation: Operation): string[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return idNamesOf(operation).map((name, at) => {
    const said = inPath[at] ?? 'id'
    return kebab(said === 'id' ? name : said.replace(/_id$/, ''))
  })
}

type Known = { document: OpenApiDocument; words: string }

function commandOf(operation: Operation, { document, words }: Known): Command {
  const { method, path, summary, description, parameters, takesCsv } = operation
  const schemas = object(document.components.schemas)
  const fields = operation.body ? fieldsOf(operation.body, schemas) : {}
  const kind = kindOf(operation)
  const isReason = Object.keys(fields).join() === 'reason' && !operation.isBodyRequired
  const flags = [
    ...parameters
      .filter(({ name }) => name !== 'cursor')
      .map(({ name, schema, required, description: about }) =>
        flagOf({ name, in: 'query', schema, required, about }, schemas),
      ),
    ...Object.entries(isReason ? {} : fields).map(([name, { schema, required }]) =>
      flagOf({ name, in: 'body', schema, required, about: '' }, schemas),
    ),
  ]
  return {
    ...{ method, path, summary, about: description, ids: idsOf(operation) },
    flags: Object.fromEntries(flags.map((flag) => [kebab(flag.word), flag.flag])),
    ...(kind === 'list' || kind === 'raw' || kind === 'stream' ? { answer: kind } : {}),
    ...(takesCsv ? { body: 'csv' } : operation.body ? { body: isReason ? 'reason' : 'json' } : {}),
    ...(method === 'PATCH' && { isMerge: true }),
    ...(operation.hasDryRun && { hasDryRun: true }),
    ...(operation.isVersioned && { isVersioned: true }),
    example: exampleOf(operation, { document, words, flags }),
  }
}

type Shown = Known & { flags: readonly { word: string; flag: Flag }[] }

function exampleOf(operation: Operation, { document, words, flags }: Shown): string {
  const found = object(object(document.paths[operation.path])[operation.method.toLowerCase()])
  const body = object(object(object(found.requestBody).content)['application/json'])
  const values = object(body.example)
  const given = flags.flatMap(({ word, flag }) => {
    const value = flag.in === 'body' ? values[flag.name] : undefined
    return value === undefined ? [] : wordsOf(kebab(word), flag, value)
  })
  const ids = idsOf(operation).map((name) => `<${name}>`)
  return ['flightdeck', words, ...ids, ...given].join(' ')
}

function wordsOf(word: string, { type, many }: Flag, value: unknown): string[] {
  if (many) return list(value).flatMap((each) => [`--${word}`, quoted(String(each))])
  if (type === 'flag') return value === true ? [`--${word}`] : [`--${word}`, 'false']
  const text = type === 'json' ? JSON.stringify(value) : value === null ? 'null' : String(value)
  return [`--${word}`, quoted(text)]
}

const quoted = (text: string) =>
  /^[\w@.:/+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
