import replies from './examples.json' with { type: 'json' }
import type { Json } from './schemas.ts'

/** By media type. */
type Examples = Readonly<Record<string, unknown>>

/** Replies of the service, by the component or by operation and status: examples.test.ts made them. */
const examples: Readonly<Record<string, Examples>> = replies

/** The response with an example of each of its media types. */
export function withExample(response: Json, name: string): Json {
  const own = examples[name]
  if (!own || typeof response.content !== 'object' || response.content === null) return response
  const content = Object.entries(response.content).map(([type, media]) => [
    type,
    { ...media, example: own[type] },
  ])
  return { ...response, content: Object.fromEntries(content) }
}

export const withExamples = (responses: Readonly<Record<string, Json>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(responses).map(([name, response]) => [name, withExample(response, name)]),
  )
