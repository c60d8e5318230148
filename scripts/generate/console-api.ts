import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApiDocument } from '../../server/src/http/openapi/document.ts'
import { root } from '../run.ts'

type Json = Readonly<Record<string, unknown>>

const object = (value: unknown): Json => ({ ...Object(value) })

/**
 * The rules of the API that the console has built in: the roles of each operation that a screen asks
 * about, and the values of enums.
 */
export async function consoleApiText(document: OpenApiDocument): Promise<string> {
  const named = await textsOfConsole()
  const asked = rolesByOperation(document).filter(([name]) => named.has(name))
  return `// Made by "npm run generate" from openapi.json: do not edit.

${roleLists(asked)}
/** The roles that may use each operation that a screen asks about. */
export const operations = {
${roleLines(asked)}} as const

/** The values of enums of the API that screens offer, by the name of their schema. */
export const enums = {
${linesOf(enumsBySchema(document).filter(([name]) => !apart.includes(name)))}} as const
`
}

/** The short texts in the console's sources, names of operations among them. */
async function textsOfConsole(): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  const sources = glob('console/src/**/*.{ts,tsx}', { cwd: root })
  for await (const file of sources) {
    if (file.endsWith('.gen.ts')) continue
    const text = await readFile(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/['"]([a-zA-Z]+)['"]/g)) names.add(name)
  }
  return names
}

/** Apart from the others, as they are many: only a few screens load them. */
export function consoleCountriesText(document: OpenApiDocument): string {
  const found = enumsBySchema(document).filter(([name]) => name === countries)
  return `// Made by "npm run generate" from openapi.json: do not edit.

/** The codes of countries that the API takes. */
export const countries = [${found.flatMap(([, values]) => values.map(literal)).join(', ')}] as const
`
}

const countries = 'Country'

/** Left out of the first view: the countries, and what no screen offers to choose from. */
const apart = [
  ...[countries, 'AgentApply', 'BlockReason', 'CampaignAction', 'ChangeSetMode'],
  ...['DeploymentAction', 'DeploymentErrorCode', 'StatusCause', 'ViewedList'],
  ...['ChannelDigest', 'NotificationCategory', 'NotificationChannelKind'],
  ...['NotificationChannelStatus', 'NotificationDigest'],
]

const linesOf = (entries: readonly (readonly [string, readonly unknown[]])[]): string =>
  entries.map(([name, values]) => `  ${name}: [${values.map(literal).join(', ')}],\n`).join('')

type RolesOf = readonly (readonly [string, readonly unknown[]])[]

/** Each list of roles once: half of the file would repeat them. */
const listsIn = (operations: RolesOf): string[] => [
  ...new Set(operations.map(([, roles]) => roles.map(literal).join(', '))),
]

const roleLists = (operations: RolesOf): string =>
  listsIn(operations)
    .map((list, at) => `const roles${at} = [${list}] as const\n`)
    .join('')

function roleLines(operations: RolesOf): string {
  const lists = listsIn(operations)
  return operations
    .map(([name, roles]) => `  ${name}: roles${lists.indexOf(roles.map(literal).join(', '))},\n`)
    .join('')
}

const literal = (value: unknown) => `'${value}'`

function rolesByOperation({ paths }: OpenApiDocument): RolesOf {
  const operations = Object.values(object(paths)).flatMap((item) => Object.values(object(item)))
  const all = operations.map((operation) => {
    const { operationId, 'x-required-roles': roles } = object(operation)
    return [`${operationId}`, Array.isArray(roles) ? roles : []] as const
  })
  // No screen asks for those without a credential, nor for those of programs.
  return all.filter(([, roles]) => roles.length > 0 && roles.join() !== 'connector')
}

function enumsBySchema({ components }: OpenApiDocument) {
  return Object.entries(object(object(components).schemas)).flatMap(([name, schema]) => {
    const { enum: values } = object(schema)
    return Array.isArray(values) && !name.endsWith('Field') ? [[name, values] as const] : []
  })
}
