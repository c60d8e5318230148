import fastJson from 'fast-json-stringify'
import { lazy } from '../../concurrency/lazy.ts'

type Route = { schema: object }

/** Compiles the reply schema on first use, for memory and start time. */
export function lazySerializer({ schema }: Route): (reply: object) => string {
  const compiled = lazy(() => fastJson(schema))
  return (reply) => compiled()(reply)
}
