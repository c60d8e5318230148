import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A flag of a command, as the API has it. */
export type Flag = {
  name: string
  in: 'query' | 'body'
  type: 'text' | 'number' | 'flag' | 'json'
  many?: true
  values?: readonly string[]
  required?: true
  about: string
}

/** An operation of the API as a command. */
export type Operation = {
  method: string
  path: string
  summary: string
  about: string
  ids: readonly string[]
  flags: Readonly<Record<string, Flag>>
  answer?: 'list' | 'raw' | 'stream'
  body?: 'json' | 'csv' | 'reason'
  isMerge?: true
  hasDryRun?: true
  isVersioned?: true
  example: string
}

export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>

type Made = { version: string; commands: Operations }

/** What `npm run generate` made of the API's document. */
export const made: Made = JSON.parse(
  readFileSync(join(import.meta.dirname, '../operations.json'), 'utf8'),
)
