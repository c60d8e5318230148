import type { Context } from '../../../kernel/context.ts'
import { ScimProblem } from '../../../problems/scim-problem.ts'
import type { Query } from '../../../query/list.ts'
import { folded } from '../../../values/folded.ts'
import { addressOf } from '../protocol/addresses.ts'
import { groupSchema } from '../protocol/documents.ts'
import { readFilter } from '../protocol/filter.ts'
import { asAsked, asksFor, listResponse, pageIn } from '../protocol/pages.ts'
import {
  findGroups,
  type GroupQuery,
  type MemberOfGroup,
  membersOfGroups,
  oneGroup,
  type StoredGroup,
} from './stored.ts'

/** Groups with their members are read whole. */
const mostWithMembers = 20

export async function listGroups(ctx: Context, query: Query) {
  const withMembers = asksFor(query, 'members')
  const { offset, limit } = pageIn(query)
  const page = { offset, limit: withMembers ? Math.min(limit, mostWithMembers) : limit }
  const { total, groups } = await findGroups(ctx, askedIn(query.filter), page)
  const ids = withMembers ? groups.map(({ id }) => id) : []
  const members = await membersOfGroups(ctx, ids)
  const resources = groups.map((group) =>
    asAsked(toGroup(ctx, group, members.get(group.id)), query),
  )
  return listResponse({ total, resources }, page)
}

export async function getGroup(ctx: Context, id: string, query: Query) {
  const group = await oneGroup(ctx, id)
  const members = await membersOfGroups(ctx, asksFor(query, 'members') ? [id] : [])
  return asAsked(toGroup(ctx, group, members.get(id)), query)
}

const filtered: Readonly<Record<string, keyof GroupQuery>> = {
  id: 'id',
  displayname: 'name',
  externalid: 'external_id',
  members: 'member',
  'members.value': 'member',
}

function askedIn(filter: unknown): GroupQuery {
  if (typeof filter !== 'string' || filter === '') return {}
  return Object.fromEntries(
    readFilter(filter).map(({ attribute, value }) => {
      const name = filtered[attribute]
      if (!name) throw new ScimProblem('invalidFilter', `Groups are not filtered by ${attribute}.`)
      return [name, name === 'name' ? folded(value.trim()) : value]
    }),
  )
}

const toGroup = (ctx: Context, group: StoredGroup, members: readonly MemberOfGroup[] = []) => ({
  schemas: [groupSchema],
  id: group.id,
  ...(group.external_id !== null && { externalId: group.external_id }),
  displayName: group.display_name,
  members: members.map(({ id, name }) => ({
    value: id,
    display: name,
    type: 'User',
    $ref: addressOf(ctx, 'Users', id),
  })),
  meta: {
    resourceType: 'Group',
    created: group.created_at,
    lastModified: group.updated_at,
    location: addressOf(ctx, 'Groups', group.id),
  },
})
