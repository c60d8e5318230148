import type { TSchema } from 'typebox'
import type { Endpoint } from '../endpoint.ts'
import { dryRunParameterOf } from '../reply/dry-run.ts'
import { fieldsParameterOf } from '../reply/fields.ts'

type Parameters = Readonly<Record<string, TSchema>>

const known = new WeakMap<Endpoint, Parameters>()

/** The query parameters of an endpoint: its own, and those that its shape implies. */
export function queryOf(endpoint: Endpoint): Parameters {
  const made = known.get(endpoint) ?? {
    ...endpoint.query,
    ...fieldsParameterOf(endpoint),
    ...dryRunParameterOf(endpoint),
  }
  known.set(endpoint, made)
  return made
}
