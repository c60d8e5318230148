import fastJson from 'fast-json-stringify'
import { lazy } from '../../concurrency/lazy.ts'

type Route = { schema: unknown }

/** Reply schemas are compiled by the first reply that needs them, for memory and start time. */
export function lazySerializer({ schema }: Route): (reply: unknown) => string {
  const compiled = lazy(() => fastJson(schema as fastJson.Schema))
  return (reply) => compiled()(reply)
}
