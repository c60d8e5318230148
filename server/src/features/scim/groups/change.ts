import { audited } from '../../../kernel/change.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { insert, remove, update } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { conflict } from '../../../problems/problem.ts'
import { ScimProblem } from '../../../problems/scim-problem.ts'
import { type Difference, differences } from '../../../schema/differences.ts'
import { folded } from '../../../values/folded.ts'
import { newId } from '../../../values/ids.ts'
import { asMaker } from '../as-maker.ts'
import { groupIds, mostGroups, mostMembers } from '../resource.ts'
import { followGroup } from '../roles.ts'
import { getGroup } from './groups.ts'
import { type GroupInput, readGroup, readGroupPatch } from './input.ts'
import { checkKnown, idsOfMembers, type MovedMembers, moveMembers } from './membership.ts'
import { oneGroup } from './stored.ts'

export async function createGroup(ctx: Context, body: unknown) {
  const input = readGroup(body)
  const id = newId(groupIds)
  await inTransaction(asMaker(ctx), async (ctx) => {
    await checkRoom(ctx)
    const { displayName: display_name, externalId: external_id = null } = input
    const moved = movedBy(input, new Set())
    await checkKnown(ctx, moved.joined)
    const changes = [...differences(null, { display_name, external_id }), ...changesOf(moved)]
    await audited(ctx, entryOf('group.created', { id, display_name }, changes), async (ctx) => {
      const names = { display_name, display_name_folded: folded(display_name) }
      const stamps = { created_at: ctx.now, updated_at: ctx.now }
      insert(ctx, 'scim_groups', { id, external_id, ...names, ...stamps })
    })
    moveMembers(ctx, id, moved)
    await followGroup(ctx, { id, before: null, after: { display_name, external_id } }, moved)
  })
  return getGroup(ctx, id, {})
}

export async function replaceGroup(ctx: Context, id: string, body: unknown) {
  await changeGroup(ctx, id, readGroup(body))
  return getGroup(ctx, id, {})
}

export const patchGroup = (ctx: Context, id: string, body: unknown): Promise<void> =>
  changeGroup(ctx, id, readGroupPatch(body))

const changeGroup = (ctx: Context, id: string, input: GroupInput): Promise<void> =>
  inTransaction(asMaker(ctx), async (ctx) => {
    const { display_name, external_id } = await oneGroup(ctx, id)
    const before = { display_name, external_id }
    const after = {
      display_name: input.displayName ?? display_name,
      external_id: input.externalId === undefined ? external_id : input.externalId,
    }
    const moved = movedBy(input, await idsOfMembers(ctx, id))
    await checkKnown(ctx, moved.joined)
    const changes = [...differences(before, after), ...changesOf(moved)]
    if (changes.length === 0) return
    await audited(ctx, entryOf('group.updated', { id, ...after }, changes), async (ctx) => {
      const display_name_folded = folded(after.display_name)
      update(ctx, 'scim_groups', { id, ...after, display_name_folded, updated_at: ctx.now })
    })
    moveMembers(ctx, id, moved)
    await followGroup(ctx, { id, before, after }, moved)
  })

export const deleteGroup = (ctx: Context, id: string): Promise<void> =>
  inTransaction(asMaker(ctx), async (ctx) => {
    const before = await oneGroup(ctx, id)
    const left = await idsOfMembers(ctx, id)
    const changes = differences({ display_name: before.display_name }, null)
    await followGroup(ctx, { id, before, after: null }, { joined: none, left, stayed: none })
    await audited(ctx, entryOf('group.deleted', before, changes), async (ctx) => {
      remove(ctx, 'scim_groups', id)
    })
  })

const none: ReadonlySet<string> = new Set()

function movedBy({ members }: GroupInput, current: ReadonlySet<string>): MovedMembers {
  const wanted = members ? members(current) : current
  if (wanted.size > mostMembers) {
    throw new ScimProblem('tooMany', `A group has at most ${mostMembers} members.`)
  }
  return {
    joined: wanted.difference(current),
    left: current.difference(wanted),
    stayed: current.intersection(wanted),
  }
}

type NamedGroup = { readonly id: string; readonly display_name: string }

const entryOf = (action: string, { id, display_name }: NamedGroup, changes: Difference[]) => ({
  action,
  resource: { type: 'group', id, name: display_name },
  changes,
})

/** The most ids that a record shows; a group is filled by thousands at once. */
const mostShown = 100

const changesOf = ({ joined, left }: MovedMembers): Difference[] =>
  differences({ joined: null, left: null }, { joined: shown(joined), left: shown(left) })

function shown(ids: ReadonlySet<string>): string[] | null {
  if (ids.size === 0) return null
  const more = ids.size > mostShown ? [`${ids.size - mostShown} more`] : []
  return [...[...ids].slice(0, mostShown), ...more]
}

const countSql = 'select count(*) as count from scim_groups where organization_id = $1'

async function checkRoom(ctx: WriteContext): Promise<void> {
  const [row] = await ctx.reader.query<{ count: number }>(tenantQuery(ctx, countSql))
  if (Number(row?.count ?? 0) < mostGroups) return
  throw conflict('limit_exceeded', `The organization has ${mostGroups} groups already.`, {
    resource: 'groups',
    limit: mostGroups,
  })
}
