import { Type } from 'typebox'
import type { Query } from '../../../query/list.ts'
import { plainAttribute } from './filter.ts'

/** The most resources of an answer. */
export const mostOfPage = 200
const usual = 100

/** Sent by directories; sorting is not supported, and order is by id. */
export const listQuery = {
  filter: Type.String(),
  startIndex: Type.String(),
  count: Type.String(),
  attributes: Type.String(),
  excludedAttributes: Type.String(),
  sortBy: Type.String(),
  sortOrder: Type.String(),
}

export const oneQuery = { attributes: Type.String(), excludedAttributes: Type.String() }

export type Page = { readonly offset: number; readonly limit: number }

const integer = /^-?\d{1,9}$/

/** `startIndex` begins at 1; what is below counts as 1, and a negative `count` as 0 (RFC 7644, 3.4.2.4). */
export function pageIn({ startIndex, count }: Query): Page {
  return {
    offset: Math.max(1, numberIn(startIndex, 1)) - 1,
    limit: Math.min(mostOfPage, Math.max(0, numberIn(count, usual))),
  }
}

const numberIn = (text: unknown, otherwise: number): number => {
  if (typeof text !== 'string' || text === '') return otherwise
  return integer.test(text) ? Number(text) : text.startsWith('-') ? -1 : largest
}

/** Beyond all rows. */
const largest = 1_000_000_000

type FoundResources = { readonly total: number; readonly resources: readonly unknown[] }

export const listResponse = ({ total, resources }: FoundResources, { offset }: Page) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

type Resource = { readonly schemas: readonly string[]; readonly id: string }

/** A resource with the attributes that the query asks for; these two always. */
export function asAsked(resource: Resource, query: Query): object {
  const only = namesIn(query.attributes)
  const without = namesIn(query.excludedAttributes)
  const isAsked = (name: string) =>
    name === 'schemas' || name === 'id' || (only.size > 0 ? only.has(name) : !without.has(name))
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => isAsked(name.toLowerCase())),
  )
}

/** Whether an attribute that is dear to read is asked for. */
export const asksFor = (query: Query, name: string): boolean =>
  name in asAsked({ schemas: [], id: '', ...{ [name]: null } }, query)

/** Attributes within another count as that one. */
const namesIn = (text: unknown): Set<string> => {
  if (typeof text !== 'string') return new Set()
  const names = text.slice(0, 2_000).split(/[\s,]+/)
  const plain = names.map((name) => plainAttribute(name).split('.')[0] ?? '')
  return new Set(plain.filter(Boolean))
}
