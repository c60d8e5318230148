import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of JSON Schema that the schema of projects is written in. */
export type Schema = {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  maxProperties?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  description?: string
  examples?: readonly unknown[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  definitions?: Readonly<Record<string, Schema>>
}

/** What `npm run generate` made of the API's schemas. */
export const schemaText = (): string =>
  readFileSync(join(import.meta.dirname, '../project.schema.json'), 'utf8')
