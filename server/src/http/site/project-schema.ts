import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const projectSchemaPath = '/schemas/project.v1.json'

let text: string | null = null

/** The JSON Schema of project files, which editors read. Loaded on first use. */
export function projectSchema(): string {
  text ??= readFileSync(join(import.meta.dirname, 'project.schema.json'), 'utf8')
  return text
}
