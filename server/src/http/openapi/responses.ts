import type { TSchema } from 'typebox'
import { itemsOf, keywordsOf } from '../../schema/keywords.ts'
import { type Method, methodsOf, statusOf } from '../endpoint.ts'
import { STATUS_CODES } from '../reason-phrases.ts'
import { DryRunWarnings, supportsDryRun } from '../reply/dry-run.ts'
import type { Route } from '../request/path-ids.ts'
import { problemCodesOf } from './problem-codes.ts'
import { problemResponses } from './problems.ts'
import { type HeaderName, headersAmong, headersFor } from './response-headers.ts'
import { type Components, type Json, publicSchema } from './schemas.ts'
import { type Part, pascal } from './sharing.ts'
import { isPage, showsVersion } from './traits.ts'

export type Service = { routes: readonly Route[]; components: Components }

/** Every response of an operation, by status or range of statuses. */
export function responsesOf(
  route: Route,
  method: Method,
  { routes, components }: Service,
): [string, Part][] {
  const status = statusOf(route)
  const isTried = supportsDryRun(route) && status !== 200
  const tried: [string, Part][] = isTried ? [['200', dryRunOf(route, { routes, components })]] : []
  const made: [string, Part][] =
    route.mayCreate || route.alsoMakes ? [['201', madeOf(route, components)]] : []
  const unchanged: [string, Part][] =
    method === 'GET' && showsVersion(route) ? [['304', notModified]] : []
  return [
    ...tried,
    [String(status), successOf(route, method, components)],
    ...made,
    ...unchanged,
    ...problemResponses(problemCodesOf(route, method), route.permission !== null),
  ]
}

const notModified: Part = {
  names: ['NotModified'],
  json: {
    description: 'Unchanged since the version in `If-None-Match`.',
    headers: headersFor(['ETag']),
  },
}

function successOf(route: Route, method: Method, components: Components): Part {
  const status = statusOf(route)
  if (status === 200 && supportsDryRun(route)) return changedOf(route, route.reply, components)
  const offered: [HeaderName, boolean][] = [
    ['ETag', showsVersion(route)],
    ['Location', status === 201],
    ['Link', isPage(route) || route.deprecated !== undefined],
    ['Deprecation', route.deprecated !== undefined],
    ['Preference-Applied', route.minimal !== undefined],
  ]
  return {
    names: [`${titleOf(route)}${suffixOf(status, method)}`, pascal(route.operation)],
    json: {
      description: STATUS_CODES[status] ?? '',
      ...headersAmong(offered),
      ...contentOf(route, components),
    },
  }
}

function madeOf(route: Route, components: Components): Part {
  const { alsoMakes } = route
  const made = alsoMakes ? { ...route, reply: alsoMakes.reply } : route
  return {
    names: [`${titleOf(made)}Made`],
    json: {
      description: STATUS_CODES[201] ?? '',
      ...headersAmong([
        ['ETag', showsVersion(made)],
        ['Location', alsoMakes !== undefined],
      ]),
      ...contentOf(made, components),
    },
  }
}

const titleOf = ({ reply, streams, operation }: Route): string => {
  if (!reply) return streams ? 'File' : ''
  const { title = pascal(operation) } = keywordsOf(reply)
  return title
}

function suffixOf(status: number, method: Method): string {
  if (status === 201) return 'Created'
  if (status === 202) return 'Accepted'
  if (status === 204) return 'NoContent'
  return method === 'GET' ? '' : 'Done'
}

function contentOf({ reply, streams = [] }: Route, components: Components): Json {
  const content = [
    ...streams.map((type) => [type, { schema: { type: 'string' } }]),
    ...(reply ? [['application/json', { schema: publicSchema(reply, components) }]] : []),
  ]
  return content.length > 0 ? { content: Object.fromEntries(content) } : {}
}

/** A dry run of what answers with another status than 200 otherwise. */
const dryRunOf = (route: Route, { routes, components }: Service): Part =>
  changedOf(route, route.reply ?? route.deletes ?? deletedObject(route, routes), components)

/** The same for a change that is made and for a dry run of it. */
function changedOf(route: Route, object: TSchema | undefined, components: Components): Part {
  const { title = '', properties = {} } = keywordsOf(object ?? {})
  const { alsoMakes } = route
  const withWarnings = (schema: TSchema | undefined) =>
    allOf(
      [...(schema ? [schema] : []), DryRunWarnings].map((each) => publicSchema(each, components)),
    )
  return {
    names: [...(alsoMakes ? [] : [`${title}Changed`]), `${pascal(route.operation)}Changed`],
    json: {
      description: 'The result, also of a dry run.',
      ...headersAmong([
        ['ETag', 'version' in properties],
        ['Preference-Applied', route.minimal !== undefined],
      ]),
      content: {
        'application/json': {
          schema: alsoMakes
            ? { anyOf: [object, alsoMakes.reply].map(withWarnings) }
            : withWarnings(object),
        },
      },
    },
  }
}

function allOf(schemas: readonly Json[]): Json {
  const [only, ...others] = schemas
  return only && others.length === 0 ? only : { allOf: schemas }
}

/**
 * The object that a DELETE would delete: the reply of a GET of the same path, or an item of the
 * list.
 */
function deletedObject({ path }: Route, routes: readonly Route[]): TSchema | undefined {
  const readAt = (path: string) =>
    routes.find((each) => each.path === path && methodsOf(each).includes('GET'))?.reply
  const list = readAt(path.slice(0, path.lastIndexOf('/')))
  return readAt(path) ?? (list && itemsOf(list))
}
