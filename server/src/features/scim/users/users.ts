import { audited, withDenials } from '../../../kernel/change.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { checkCap } from '../../../kernel/quotas.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { ScimProblem } from '../../../problems/scim-problem.ts'
import type { Query } from '../../../query/list.ts'
import { differences } from '../../../schema/differences.ts'
import { accountOf } from '../../../values/email.ts'
import { newId } from '../../../values/ids.ts'
import { changeFromDirectory, type FromDirectory } from '../../members/directory.ts'
import { addUser } from '../../members/members.ts'
import { cap as membersCap, userIds } from '../../members/resource.ts'
import { asMaker } from '../as-maker.ts'
import { readFilter } from '../protocol/filter.ts'
import { asAsked, listResponse, pageIn } from '../protocol/pages.ts'
import { roleOfNew } from '../roles.ts'
import { type NewUser, nameOf, readUser, readUserPatch, type UserInput } from './input.ts'
import { toUser } from './present.ts'
import {
  type Beside,
  findUsers,
  groupsOfUsers,
  oneUser,
  type StoredUser,
  saveBeside,
  type UserQuery,
  userBy,
} from './stored.ts'

export async function listUsers(ctx: Context, query: Query) {
  const page = pageIn(query)
  const { total, users } = await findUsers(ctx, askedIn(query.filter), page)
  const groups = await groupsOfUsers(
    ctx,
    users.map(({ id }) => id),
  )
  const resources = users.map((user) => asAsked(toUser(ctx, user, groups.get(user.id)), query))
  return listResponse({ total, resources }, page)
}

export async function getUser(ctx: Context, id: string, query: Query) {
  const user = await oneUser(ctx, id)
  const groups = await groupsOfUsers(ctx, [id])
  return asAsked(toUser(ctx, user, groups.get(id)), query)
}

const filtered: Readonly<Record<string, keyof UserQuery>> = {
  id: 'id',
  username: 'email',
  'emails.value': 'email',
  externalid: 'external_id',
}

/** Directories look for one person, before they make or change it. */
function askedIn(filter: unknown): UserQuery {
  if (typeof filter !== 'string' || filter === '') return {}
  return Object.fromEntries(
    readFilter(filter).map(({ attribute, value }) => {
      const name = filtered[attribute]
      if (!name) throw new ScimProblem('invalidFilter', `Users are not filtered by ${attribute}.`)
      return [name, name === 'email' ? accountOf(value) : value]
    }),
  )
}

/** Makes a member without a password; who was deleted so before comes back. */
export async function createUser(ctx: Context, body: unknown) {
  const input = readUser(body)
  const former = await userBy(ctx, { email: input.userName })
  const id = former?.is_deleted ? former.id : newId(userIds)
  if (former?.is_deleted) await bringBack(ctx, id, input)
  else await addNew(ctx, id, input)
  return getUser(ctx, id, {})
}

async function addNew(ctx: Context, id: string, input: NewUser): Promise<void> {
  await inTransaction(asMaker(ctx), async (ctx) => {
    await checkCap(ctx, membersCap)
    await addUser(ctx, {
      id,
      email: input.userName,
      name: nameOf(input) ?? input.userName,
      role: await roleOfNew(ctx),
      disabled: input.active === false,
      from_directory: true,
      password_hash: '',
    })
    saveBeside(ctx, { ...besideOf(input), id, deleted_at: null })
  })
}

const bringBack = (ctx: Context, id: string, input: NewUser) =>
  changing(ctx, async (ctx) => {
    const user = await userBy(ctx, { id })
    if (user) await apply(ctx, user, { active: true, ...input })
  })

/** PUT: texts that are left out are gone, but for the name of the member. */
export async function replaceUser(ctx: Context, id: string, body: unknown) {
  const input = readUser(body)
  await changing(ctx, async (ctx) => apply(ctx, await oneUser(ctx, id), input))
  return getUser(ctx, id, {})
}

export async function patchUser(ctx: Context, id: string, body: unknown) {
  const input = readUserPatch(body)
  await changing(ctx, async (ctx) => apply(ctx, await oneUser(ctx, id), input))
  return getUser(ctx, id, {})
}

/** Disables the member, whom the directory does not see from then on. */
export const deleteUser = (ctx: Context, id: string): Promise<void> =>
  changing(ctx, async (ctx) => {
    const user = await oneUser(ctx, id)
    const disabled = await changeFromDirectory(ctx, user, { disabled: true })
    const deleted = { ...besideOf(knownOf(user)), external_id: null, deleted_at: ctx.now }
    if (disabled.version === user.version) return audit(ctx, user, deleted)
    saveBeside(ctx, { ...deleted, id })
  })

const changing = (ctx: Context, work: (ctx: WriteContext) => Promise<void>): Promise<void> =>
  withDenials(ctx, 'member.updated', () => inTransaction(asMaker(ctx), work))

async function apply(ctx: WriteContext, user: StoredUser, input: UserInput): Promise<void> {
  const said = { ...knownOf(user), ...input }
  const name = namesPerson(input) ? nameOf(said) : null
  const member: FromDirectory = {
    ...(input.userName !== undefined && { email: input.userName }),
    ...(input.active !== undefined && { disabled: !input.active }),
    ...(name !== null && { name }),
  }
  await changeFromDirectory(ctx, user, member)
  const beside = { ...besideOf(said), deleted_at: null }
  await audit(ctx, user, beside)
}

const namesPerson = (input: UserInput): boolean =>
  ['displayName', 'givenName', 'familyName', 'formatted'].some((name) => Object.hasOwn(input, name))

const knownOf = (user: StoredUser): UserInput => ({
  externalId: user.external_id,
  displayName: user.display_name,
  givenName: user.given_name,
  familyName: user.family_name,
})

const besideOf = ({ externalId, displayName, givenName, familyName }: UserInput) => ({
  external_id: externalId ?? null,
  display_name: displayName ?? null,
  given_name: givenName ?? null,
  family_name: familyName ?? null,
})

/** Keeps what the member does not show; each change of it is in the audit log. */
async function audit(
  ctx: WriteContext,
  user: StoredUser,
  beside: Omit<Beside, 'id'>,
): Promise<void> {
  const { id, name, external_id, display_name, given_name, family_name, deleted_at } = user
  const before = { external_id, display_name, given_name, family_name, deleted_at }
  const changes = differences(before, beside)
  if (changes.length === 0) return
  const entry = { action: 'member.updated', resource: { type: 'member', id, name }, changes }
  await audited(ctx, entry, async (ctx) => saveBeside(ctx, { ...beside, id }))
}
