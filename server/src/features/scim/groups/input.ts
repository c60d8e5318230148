import { ScimProblem } from '../../../problems/scim-problem.ts'
import { type PatchOperation, readPatch } from '../protocol/patch.ts'
import { attributeOf, textOf } from '../protocol/values.ts'
import { mostMembers } from '../resource.ts'

/** Fields of a group that a directory sends; `members` gives the ids after the change, of those before. */
export type GroupInput = {
  displayName?: string
  externalId?: string | null
  members?: (current: ReadonlySet<string>) => ReadonlySet<string>
}

/** A whole group. Without `members` those that it has stay. */
export function readGroup(body: unknown): GroupInput & { displayName: string } {
  const members = attributeOf(body, 'members')
  return {
    displayName: nameIn(attributeOf(body, 'displayName')),
    externalId: textOf(attributeOf(body, 'externalId'), 'externalId'),
    ...(members !== undefined && members !== null && { members: always(idsIn(members)) }),
  }
}

const always =
  <Value>(value: Value) =>
  () =>
    value

function nameIn(value: unknown): string {
  const name = textOf(value, 'displayName')
  if (name === null) throw new ScimProblem('invalidValue', 'displayName is required.')
  return name
}

export const readGroupPatch = (body: unknown): GroupInput =>
  readPatch(body).reduce<GroupInput>(withOperation, {})

/** Attributes that are not kept here are taken and left. */
function withOperation(input: GroupInput, operation: PatchOperation): GroupInput {
  const { op, attribute, value } = operation
  switch (attribute) {
    case 'displayname':
      return { ...input, displayName: nameIn(op === 'remove' ? null : value) }
    case 'externalid':
      return { ...input, externalId: op === 'remove' ? null : textOf(value, 'externalId') }
    case 'members':
      return { ...input, members: after(input.members ?? same, membersBy(operation)) }
    default:
      return input
  }
}

type MembersChange = NonNullable<GroupInput['members']>

const same: MembersChange = (current) => current

const after =
  (first: MembersChange, then: MembersChange): MembersChange =>
  (current) =>
    then(first(current))

/** Entra removes by a list of values, Okta by `members[value eq "…"]`. */
function membersBy({ op, where, value }: PatchOperation): MembersChange {
  const named = where.map((each) => {
    if (each.attribute === 'value') return each.value
    throw new ScimProblem('invalidPath', 'Members are chosen by their value.')
  })
  const listed = value === undefined || value === null ? null : idsIn(value)
  if (op === 'add') return (current) => current.union(listed ?? new Set())
  if (op === 'replace') {
    if (named.length > 0) throw new ScimProblem('mutability', 'A member is added or removed whole.')
    return always(listed ?? new Set())
  }
  const removed = named.length > 0 ? new Set(named) : listed
  return (current) => (removed ? current.difference(removed) : new Set())
}

/** The ids of a list of members, or of one. */
function idsIn(value: unknown): ReadonlySet<string> {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > mostMembers) {
    throw new ScimProblem('tooMany', `A group has at most ${mostMembers} members.`)
  }
  return new Set(
    list.map((member) => {
      const id = typeof member === 'string' ? member : attributeOf(member, 'value')
      if (typeof id === 'string' && id !== '') return id
      throw new ScimProblem('invalidValue', 'A member has a value: the id of a user.')
    }),
  )
}
