import { exampleId } from '../../../src/values/ids.ts'
import { endpoints } from '../documented.ts'

/** The path of an endpoint with well-formed ids that do not exist. */
export const missingPath = (path: string): string => {
  const { ids = [] } = endpoints.find((endpoint) => endpoint.path === path) ?? {}
  return ids.reduce((url, { name, type }) => url.replace(`:${name}`, exampleId(type)), path)
}
