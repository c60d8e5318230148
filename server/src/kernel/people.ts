import { whole, withScope } from '../database/scope/readers.ts'
import { narrower } from '../database/scope/scope.ts'
import { agentOf } from '../identity/api-key-states.ts'
import type { Fault } from '../problems/fault.ts'
import type { Problem } from '../problems/problem.ts'
import { changedReadOnly } from '../schema/changed-fields.ts'
import { apiKeyIds } from '../values/core-ids.ts'
import { isId } from '../values/ids.ts'
import type { Context } from './context.ts'
import { findOne } from './rows.ts'

/** Whether both ids, of users or API keys, belong to the same person. */
export async function isSamePerson(
  ctx: Context,
  one: string | null,
  other: string | null,
): Promise<boolean> {
  if (one === null || other === null) return false
  if (one === other) return true
  const [first, second] = await Promise.all([personBehind(ctx, one), personBehind(ctx, other)])
  return first === second
}

/** The user who created an API key; a key from the command line, and an agent's, has only itself. */
export async function personBehind(ctx: Context, id: string): Promise<string> {
  if (!isId(apiKeyIds, id)) return id
  const key = await findOne(whole(ctx), 'api_keys', id)
  return key && !key.agent && key.maker_id !== null ? key.maker_id : id
}

/** Notes that a write of an agent was refused, once all of it is rolled back. */
export type OnRefusal = (ctx: Context, problem: Problem) => Promise<void>

/** Whether it is the id of an agent's key. */
export async function isAgent(ctx: Context, id: string | null): Promise<boolean> {
  if (id === null || !isId(apiKeyIds, id)) return false
  const key = await findOne(whole(ctx), 'api_keys', id)
  return key !== undefined && key.agent !== null
}

/** The fields with ids of people, beside which objects are shown with names. */
const idFields = ['created_by', 'updated_by', 'approved_by', 'rejected_by', 'applied_by'] as const

type IdField = (typeof idFields)[number]

/** The fields that `withNames` adds. */
export const nameFields = idFields.map((field) => `${field}_name` as const)

const nameFieldOf = idFields.map((field) => [field, `${field}_name`] as const)

type Stamped = { readonly [field in IdField]?: string | null }

/** Objects with the names of the people whose ids they have, such as who created them. */
export async function withNames<Shown extends Stamped>(
  ctx: Context,
  objects: readonly Shown[],
): Promise<Shown[]> {
  const ids = objects.flatMap((object) => idFields.flatMap((field) => object[field] ?? []))
  const names = new Map<string, string | null>()
  for (const id of new Set(ids)) names.set(id, await nameOf(ctx, id))
  const nameIn = (id: string | null) => (id && names.get(id)) ?? null
  return objects.map((object) => {
    if (object.updated_by === undefined) return object
    // Cheaper than an object of what is added: lists have many objects.
    const named = { ...object }
    const fields: Record<string, unknown> = named
    for (const [field, nameField] of nameFieldOf) {
      const id = object[field]
      if (id !== undefined) fields[nameField] = nameIn(id)
    }
    return named
  })
}

async function nameOf({ actor, organization, services }: Context, id: string) {
  if (id === actor.id) return actor.name
  const person = await services.identity.names.find({ organizationId: organization.id, id })
  return person?.name ?? null
}

type PersonChange = {
  before: object
  body: Readonly<Record<string, unknown>>
  readOnly: readonly string[]
}

/** `changedReadOnly` for an object that is shown with names. */
export async function readOnlyFaults(
  ctx: Context,
  { before, body, readOnly }: PersonChange,
): Promise<Fault[]> {
  const isNamed = nameFields.some((field) => field in body)
  const [shown = before] = isNamed ? await withNames(ctx, [before]) : [before]
  return changedReadOnly({ ...shown }, body, readOnly)
}

/**
 * Acts for a user or an API key, with the rights that they have now, when no request of theirs is
 * there. Undefined if they may do nothing any more.
 */
export async function actFor(caller: Context, id: string): Promise<Context | undefined> {
  const ctx = whole(caller)
  if (!isId(apiKeyIds, id)) {
    const user = await findOne(ctx, 'users', id)
    if (!user || user.disabled) return undefined
    const actor = { type: 'user', id, name: user.name } as const
    return withScope({ ...ctx, actor, role: user.role, agent: null }, user.scope)
  }
  const key = await findOne(ctx, 'api_keys', id)
  if (!key || key.revoked_at !== null || isOver(ctx, key.expires_at)) return undefined
  const maker = key.maker_id === null ? null : await findOne(ctx, 'users', key.maker_id)
  if (maker === undefined || maker?.disabled) return undefined
  const actor = { type: 'api_key', id, name: key.name } as const
  const scope = narrower(key.scope, maker?.scope ?? null)
  const { role } = key
  const person = { ...ctx, actor, role, makerRole: maker?.role ?? null, agent: agentOf(key) }
  return withScope(person, scope)
}

/** Keys go by the real time. */
const isOver = ({ services }: Context, expiresAt: string | null): boolean =>
  expiresAt !== null && expiresAt <= services.clock.now().toISOString()
