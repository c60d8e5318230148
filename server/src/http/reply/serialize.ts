import fastJson from 'fast-json-stringify'
import { lazy } from '../../concurrency/lazy.ts'

type Route = { schema: unknown }

/** Compiles the reply schema on first use, for memory and start time. */
export function lazySerializer({ schema }: Route): (reply: unknown) => string {
  const compiled = lazy(() => fastJson(schema as fastJson.Schema))
  return (reply) => compiled()(reply)
}
