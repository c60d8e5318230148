import { idsIn } from '../../src/http/request/path-ids.ts'
import { idPrefixes } from '../../src/values/ids.ts'

/** The path with well-formed ids that do not exist. */
export const missingPath = (path: string): string =>
  idsIn(path).reduce(
    (url, { name, kind }) =>
      url.replace(`:${name}`, `${idPrefixes[kind]}_01m7yez275fk1a52pr5qevn8kn`),
    path,
  )
