import { sql } from 'kysely'
import type { Scope } from '../../database/scope/scope.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { registerEmail, unregisterEmail } from '../../identity/email-directory.ts'
import { unregisterPasskeysOf } from '../../identity/passkey-directory.ts'
import { randomPassword } from '../../identity/passwords.ts'
import { mayHaveScope, type Role, roles } from '../../identity/permissions.ts'
import { scopeFaults, storedScope } from '../../identity/scope-faults.ts'
import { endSessionsOf } from '../../identity/sessions.ts'
import { change, checkMayManage, withDenials } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { checkCap } from '../../kernel/quotas.ts'
import { insert, oneOf, oneToChange, remove, rowsOf, update } from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import { checkFaults, conflict, invalid } from '../../problems/problem.ts'
import { anyOf, commonFilters, type Filter } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { byWordsOfName } from '../../query/search/search.ts'
import { byName } from '../../query/sorting.ts'
import { changedFields, changedReadOnly } from '../../schema/changed-fields.ts'
import { patched } from '../../schema/merge-patch.ts'
import { accountOf } from '../../values/email.ts'
import { newId } from '../../values/ids.ts'
import { endIfOnlySso } from './only-sso.ts'
import { cap, userIds } from './resource.ts'
import {
  type Member,
  type MemberChanges,
  type MemberInput,
  memberReadOnly,
  type NewMember,
} from './schema.ts'
import { checkKeepsWayBack } from './way-back.ts'

const disabledFilter: Filter = {
  schema: {
    type: 'boolean',
    description: 'Filter by disabled or enabled members.',
  },
  read: ([text]) => ({ condition: sql<boolean>`disabled = ${text === 'true'}` }),
}

export const memberList: ListShape<'users'> = {
  table: 'users',
  filters: {
    ...byWordsOfName,
    email: anyOf('email', { asOurs: accountOf, description: 'Case-insensitive.' }),
    role: anyOf('role', { allowed: roles }),
    disabled: disabledFilter,
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', byName],
}

export const listMembers = (ctx: Context, query: Query): Promise<Page<Member>> =>
  pageOf(ctx, { list: memberList, query, present: toMember })

export const getMember = async (ctx: Context, id: string): Promise<Member> =>
  toMember(await oneOf(ctx, 'users', id))

/**
 * Adds a user. Without a password, generates a temporary one that appears only in this response.
 */
export async function createMember(ctx: Context, input: MemberInput): Promise<NewMember> {
  const { password, scope = null, ...account } = input
  const chosen = password ?? randomPassword()
  await withDenials(ctx, 'member.created', async () => checkOwners(ctx, account.role))
  const password_hash = await ctx.services.identity.passwords.hash(chosen, {
    organizationId: ctx.organization.id,
  })
  return showOnce(ctx, async (ctx) => ({
    kept: await addMember(ctx, { ...account, scope, password_hash }),
    shown: { temporary_password: password ? null : chosen },
  }))
}

async function addMember(ctx: WriteContext, account: ScopedAccount): Promise<Member> {
  checkFaults(ctx, await scopeFaults(ctx, account))
  await checkCap(ctx, cap)
  return addUser(ctx, account)
}

export type Account = {
  id?: string
  email: string
  name: string
  role: Role
  password_hash: string
  disabled?: boolean
  from_directory?: boolean
}

type ScopedAccount = Account & { scope: Scope | null }

/** Adds a user to the organization of the open transaction. */
export const addUser = (ctx: WriteContext, account: Account | ScopedAccount): Promise<Member> =>
  change(ctx, 'member.created', async (ctx) => {
    const row = {
      scope: null,
      id: newId(userIds),
      disabled: false,
      from_directory: false,
      ...account,
      email: accountOf(account.email),
      second_factor: false,
      last_login_at: null,
      version: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    insert(ctx, 'users', { ...row, scope: storedScope(row.scope) })
    registerEmail(ctx, row)
    return { before: null, after: toMember({ organization_id: ctx.organization.id, ...row }) }
  })

export const updateMember = (ctx: Context, id: string, changes: MemberChanges): Promise<Member> =>
  withDenials(ctx, 'member.updated', () =>
    change(ctx, 'member.updated', async (ctx) => {
      const row = await oneToChange(ctx, 'users', id)
      const before = toMember(row)
      checkOwners(ctx, before.role, before)
      const { body, faults: mergeFaults } = patched(ctx, before, changes)
      checkOwners(ctx, body.role ?? before.role, before)
      const { role = before.role, scope = before.scope } = body
      const faults = [
        ...mergeFaults,
        ...changedReadOnly(before, body, memberReadOnly),
        ...(await scopeFaults(ctx, { role, scope, before: before.scope })),
      ]
      if (faults.length > 0) throw invalid(faults)
      const { name = before.name, disabled = before.disabled } = body
      const set = { name, role, disabled, scope }
      if (changedFields<typeof set>(before, set).length === 0) return { before, after: before }
      if (!isEnabledOwner(set)) await checkNotLastOwner(ctx, before)
      if (disabled) endSessionsOf(ctx, id)
      const stamps = { version: row.version + 1, updated_at: ctx.now }
      update(ctx, 'users', { id, ...set, scope: storedScope(scope), ...stamps })
      const after = { ...before, ...set, ...stamps }
      await endIfOnlySso(ctx, before, after)
      return { before, after }
    }),
  )

export async function deleteMember(ctx: Context, id: string): Promise<void> {
  await withDenials(ctx, 'member.deleted', () =>
    change(ctx, 'member.deleted', async (ctx) => {
      const before = toMember(await oneToChange(ctx, 'users', id))
      checkOwners(ctx, before.role, before)
      await checkNotLastOwner(ctx, before)
      unregisterEmail(ctx, before)
      await unregisterPasskeysOf(ctx, id)
      remove(ctx, 'users', id)
      return { before, after: null }
    }),
  )
}

/** Notes whether a verified factor guards the member's logins; `auth` knows the factors. */
export const setSecondFactor = (
  ctx: WriteContext,
  id: string,
  second_factor: boolean,
): Promise<Member> =>
  change(ctx, 'member.updated', async (ctx) => {
    const row = await oneOf(ctx, 'users', id)
    const before = toMember(row)
    if (row.second_factor === second_factor) return { before, after: before }
    if (!second_factor) await checkKeepsWayBack(ctx, id)
    const set = { second_factor, version: row.version + 1, updated_at: ctx.now }
    update(ctx, 'users', { id, ...set })
    const after = { ...before, ...set }
    await endIfOnlySso(ctx, before, after)
    return { before, after }
  })

/** Gives a member another role, as an identity provider has it: owners keep theirs. */
export const setRole = (
  ctx: WriteContext,
  id: string,
  role: Exclude<Role, 'owner'>,
): Promise<Member> =>
  change(ctx, 'member.updated', async (ctx) => {
    const row = await oneOf(ctx, 'users', id)
    const before = toMember(row)
    const given = roleWithinScope(before, role)
    if (row.role === 'owner' || row.role === given) return { before, after: before }
    const set = { role: given, version: row.version + 1, updated_at: ctx.now }
    update(ctx, 'users', { id, ...set })
    return { before, after: { ...before, ...set } }
  })

/** The role that a directory gives a member: only people take a scope away. */
export const roleWithinScope = ({ role, scope }: Pick<Member, 'role' | 'scope'>, given: Role) =>
  scope === null || mayHaveScope(given) ? given : role

export const checkOwners = (ctx: Context, role: Role, about?: Member) =>
  checkMayManage(ctx, { role, about }, 'Only an owner may create, change or delete owners.')

const isEnabledOwner = ({ role, disabled }: Pick<Member, 'role' | 'disabled'>) =>
  role === 'owner' && !disabled

export async function checkNotLastOwner(ctx: WriteContext, member: Member): Promise<void> {
  if (!isEnabledOwner(member)) return
  const another = await rowsOf(ctx, 'users')
    .where('role', '=', 'owner')
    .where('disabled', '=', false)
    .where('id', '<>', member.id)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!another)
    throw conflict('last_owner', 'This user is the last enabled owner of the organization.')
  await checkKeepsWayBack(ctx, member.id)
}

export const toMember = (row: Row<'users'>): Member => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  disabled: row.disabled,
  scope: row.scope,
  second_factor: row.second_factor,
  from_directory: row.from_directory,
  last_login_at: row.last_login_at,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
