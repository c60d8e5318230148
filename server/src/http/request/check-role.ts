import { insufficientRole, may, type Permission } from '../../identity/permissions.ts'
import { recordDenial } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
import type { Problem } from '../../problems/problem.ts'
import { methodsOf } from '../endpoint.ts'
import { agentRefusal, isOwnKey, noteRefusal } from './agent-door.ts'
import { sessionRequired, suspended } from './authenticate.ts'
import type { Params, Route } from './path-ids.ts'

export type GuardedRoute = Route & { permission: Permission }

/** The innermost object of the path; null for a creation, whose object has no id yet. */
function resourceIdOf({ ids, locatedAt }: Route, params: Params): string | null {
  const innermost = locatedAt ? undefined : ids.at(-1)
  return innermost ? (params[innermost.name] ?? null) : null
}

/** Records a write refused for the role in the audit log, before the caller gets the 403. */
export async function checkRole(
  ctx: Context,
  endpoint: GuardedRoute,
  params: Params,
): Promise<void> {
  const { action } = endpoint
  const id = resourceIdOf(endpoint, params)
  const refusal = await refusalOf(ctx, endpoint, id)
  if (refusal) {
    if (action && isDenial(refusal)) await recordDenial(ctx, action, { id, name: null })
    await noteRefusal(ctx, endpoint, refusal)
    throw refusal
  }
  const isWrite = action && !action.startsWith('auth.') && !methodsOf(endpoint).includes('GET')
  const isBarred = isWrite || endpoint.live
  if (isBarred && ctx.organization.status === 'suspended') throw suspended()
}

const isDenial = ({ code }: Problem) => code === 'insufficient_role' || code === 'session_required'

async function refusalOf(
  ctx: Context,
  endpoint: GuardedRoute,
  id: string | null,
): Promise<Problem | undefined> {
  const { permission, requiredRoles } = endpoint
  const refused = ctx.agent ? agentRefusal(ctx, endpoint, id) : undefined
  if (refused) return refused
  if (!may(ctx, permission) && !(ctx.agent && isOwnKey(endpoint))) {
    return insufficientRole(ctx, requiredRoles ? await requiredRoles(ctx) : permission.roles)
  }
  return endpoint.needsSession && ctx.sessionId === null ? sessionRequired() : undefined
}
