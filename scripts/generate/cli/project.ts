/** The JSON Schema of project files, from the API's own schemas. */
import type { OpenApiDocument } from '../../../server/src/http/openapi/document.ts'
import { type Json, list, object } from '../sdk/json.ts'

/** Differences of a project file from the body of a creation. */
type Section = {
  body: string
  /** Fields that have no place in a file: identity, secrets, and ids that references stand for. */
  left: readonly string[]
  added?: Json
  about: string
}

const reference = (of: string, prefix: string): Json => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 128,
  description: `A ${of} by its name in this project, or by its id, ${prefix}_….`,
})

const profile = reference('profile', 'prf')

const state: Json = {
  type: 'string',
  enum: ['draft', 'active', 'paused', 'completed', 'archived'],
  description: 'What it is to be; `active` is also what waits for its start. Left out: left alone.',
}

const sections: Readonly<Record<string, Section>> = {
  clients: { body: 'ClientInput', left: ['external_id'], about: 'Whose money it is.' },
  proxies: {
    body: 'ProxyInput',
    left: ['external_id', 'username', 'password'],
    about: 'Proxies, without what they are entered with: secrets are never in files.',
  },
  profiles: {
    body: 'ProfileInput',
    left: ['external_id', 'client_id', 'client', 'proxy_id'],
    added: { client: reference('client', 'cli'), proxy: reference('proxy', 'prx') },
    about: 'Accounts that campaigns run under.',
  },
  templates: { body: 'TemplateInput', left: ['external_id'], about: 'Fields for new campaigns.' },
  campaigns: {
    body: 'DirectCampaignInput',
    left: ['external_id', 'profile_id', 'template_id'],
    added: { profile, template: reference('template', 'tpl'), state },
    about: 'What to advertise, for how much and when.',
  },
}

export function projectSchemaText(document: OpenApiDocument): string {
  const schemas = object(document.components.schemas)
  const definitions = new Map<string, unknown>()
  /** With references to definitions of the file, which are collected. */
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...others } = object(value)
    const rest = Object.entries(others).map(([name, each]) => [name, moved(each)])
    if (typeof $ref !== 'string') return Object.fromEntries(rest)
    const name = $ref.replace('#/components/schemas/', '')
    if (!definitions.has(name)) {
      definitions.set(name, null)
      definitions.set(name, moved(inFiles(name, schemas)))
    }
    return { $ref: `#/definitions/${name}`, ...Object.fromEntries(rest) }
  }
  const properties = Object.entries(sections).map(([name, section]) => [
    name,
    sectionOf(section, object(moved(withoutLeft(section, schemas)))),
  ])
  const common = object(object(moved(schemas.DirectCampaignInput)).properties)
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Flightdeck project',
    type: 'object',
    additionalProperties: false,
    properties: { ...head(common), ...Object.fromEntries(properties) },
    definitions: Object.fromEntries([...definitions].filter(([name]) => !bodies.has(name))),
  }
  return `${JSON.stringify(schema, null, 1)}\n`
}

const bodies = new Set(Object.values(sections).map(({ body }) => body))

function withoutLeft({ body, left }: Section, schemas: Json): Json {
  const { properties, ...others } = object(schemas[body])
  const kept = Object.entries(object(properties)).filter(([name]) => !left.includes(name))
  return { ...others, properties: Object.fromEntries(kept) }
}

/** Members beside the sections, and what all sections get. */
const head = ({ currency, time_zone, labels }: Json): Json => ({
  $schema: { type: 'string', maxLength: 2048, description: 'For editors only.' },
  project: {
    type: 'string',
    maxLength: 64,
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
    description: 'All that the files name has the label `project:` and this name.',
  },
  defaults: {
    type: 'object',
    additionalProperties: false,
    properties: { currency, time_zone, labels },
    description:
      'For all clients, profiles and campaigns that do not say otherwise; labels are added to those of each object.',
  },
})

/** Objects by name, which is their `external_id`. The service asks for what a creation needs. */
function sectionOf({ added = {}, about }: Section, { properties, ...others }: Json): Json {
  const { required: _, description: __, ...kept } = others
  return {
    type: ['object', 'null'],
    maxProperties: 10_000,
    propertyNames: { minLength: 1, maxLength: 128 },
    additionalProperties: {
      ...kept,
      type: ['object', 'null'],
      properties: { ...object(properties), ...added },
    },
    description: about,
  }
}

/** A schema of the API as files have it. */
function inFiles(name: string, schemas: Json): Json {
  const schema = object(schemas[name])
  if (name === 'ScheduleWindowInput') return withDays(schema)
  // Names as answers have them, so that files and answers compare.
  if (name === 'ObjectiveInput') return object(schemas.Objective)
  if (name === 'TemplateDefaultsInput') {
    const { profile_id: _, ...properties } = object(schema.properties)
    return { ...schema, properties: { ...properties, profile } }
  }
  if (name === 'Labels') {
    const description = 'Labels that begin with `project:` are those of projects.'
    const items = { ...object(schema.items), pattern: '^(?!project:)', description }
    return { ...schema, items, maxItems: 49 }
  }
  if (name === 'Metadata') {
    const description = 'Up to 40 of A–Z a–z 0–9 _ . -, not beginning with `project.`.'
    const propertyNames = { pattern: '^(?!project\\.)[A-Za-z0-9_.-]{1,40}$', description }
    return { ...schema, maxProperties: 40, propertyNames, additionalProperties: member }
  }
  return schema
}

/** A member of metadata; null takes it away. */
const member: Json = { type: ['string', 'null'], maxLength: 500 }

/** A list of days is short for a window on each. */
function withDays(schema: Json): Json {
  const { day, ...others } = object(schema.properties)
  const one = object(day)
  const days = {
    anyOf: [
      { type: 'string', enum: list(one.enum) },
      { type: 'array', items: { type: 'string', enum: list(one.enum) }, minItems: 1, maxItems: 7 },
    ],
    description: 'A day, or a list of them.',
  }
  return { ...schema, properties: { day: days, ...others } }
}
