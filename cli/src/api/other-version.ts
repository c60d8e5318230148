import { FlightdeckError } from '@flightdeckhq/sdk'
import { UsageError } from '../faults.ts'
import { made } from '../operations.ts'
import type { Call } from './run.ts'

/** Refusals that a service of another version may have for what it does not know. */
const unknown = ['not_found', 'method_not_allowed', 'unknown_parameter', 'validation_failed']

const patienceMs = 5_000

type Json = Readonly<Record<string, unknown>>

/**
 * The refusal, or a clearer one where the service's own document lacks the operation or a flag of it.
 * The document is read after a refusal only: a service of the same version is not asked for it.
 */
export async function namingVersion(
  error: unknown,
  { url, call }: { url: string; call: Omit<Call, 'client'> },
): Promise<unknown> {
  if (!(error instanceof FlightdeckError) || !unknown.includes(error.code)) return error
  const document = await documentAt(url)
  const version = at(document, 'info', 'version')
  if (!document || typeof version !== 'string' || version === made.version) return error
  const { operation } = call
  const known = at(document, 'paths', operation.path, operation.method.toLowerCase())
  if (known === undefined) {
    return new UsageError(`${words(version)} has no such operation.`)
  }
  const lacking = Object.entries(operation.flags)
    .filter(([word]) => call.isGiven(word))
    .filter(([, flag]) => !namesOf(document, known, flag.in).has(flag.name))
  if (lacking.length === 0) return error
  const list = lacking.map(([word]) => `--${word}`).join(', ')
  return new UsageError(`${words(version)} does not know ${list}.`)
}

const words = (version: string) =>
  `This command line is version ${made.version}; the service is ${version}, and`

async function documentAt(url: string): Promise<Json | undefined> {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const reply = await fetch(`${url}/api/v1/openapi.json`, { signal })
    return (await reply.json()) as Json
  } catch {
    return undefined
  }
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Json)[name]
  }
  return found
}

/** The parameters of an operation, or the members of its body, those of alternatives too. */
function namesOf(document: Json, operation: unknown, place: 'query' | 'body'): Set<string> {
  if (place === 'body') {
    return members(document, at(operation, 'requestBody', 'content', 'application/json', 'schema'))
  }
  const parameters = at(operation, 'parameters')
  const all = Array.isArray(parameters) ? parameters.map((each) => resolved(document, each)) : []
  return new Set(all.map((each) => String(at(each, 'name'))))
}

function members(document: Json, schema: unknown, depth = 0): Set<string> {
  const whole = resolved(document, schema)
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((kind) => {
    const list = at(whole, kind)
    return Array.isArray(list) && depth < 5 ? list : []
  })
  const own = Object.keys((at(whole, 'properties') as object | undefined) ?? {})
  return new Set([...own, ...parts.flatMap((part) => [...members(document, part, depth + 1)])])
}

function resolved(document: Json, value: unknown): unknown {
  const reference = at(value, '$ref')
  return typeof reference === 'string' ? at(document, ...reference.split('/').slice(1)) : value
}
