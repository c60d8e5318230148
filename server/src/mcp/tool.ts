import type { Api, Members } from './call.ts'

/** The schema of one argument: a subset of JSON Schema that `checkArguments` knows. */
export type ArgumentSchema = {
  type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  description?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: { type: 'string' | 'object' }
}

/** `said` holds our own words only; texts of others stand in `data`. */
export type ToolAnswer = { said: string; data: Members }

export type Tool = {
  name: string
  description: string
  /** Whether it changes nothing. */
  isReadOnly?: boolean
  /** Whether it may change what runs. */
  isDestructive?: boolean
  isIdempotent?: boolean
  properties: Readonly<Record<string, ArgumentSchema>>
  required?: readonly string[]
  run(api: Api, given: Members): Promise<ToolAnswer>
}
