import { agentRuleOf } from '../../identity/agents/operations.ts'
import { agentStopped } from '../../identity/agents/terms.ts'
import { insufficientRole } from '../../identity/permissions.ts'
import type { BareContext, Context } from '../../kernel/context.ts'
import { Problem } from '../../problems/problem.ts'
import type { Query } from '../../query/list.ts'
import { memberOf } from '../../values/objects.ts'
import { type Endpoint, methodsOf } from '../endpoint.ts'

/** The only door for agents: what it does not know is refused. */

/** The problem that keeps an agent from the operation on the object of the path. */
export function agentRefusal(
  ctx: Context,
  endpoint: Endpoint,
  id: string | null,
): Problem | undefined {
  const rule = agentRuleOf(endpoint.operation)
  const isWrite = !methodsOf(endpoint).includes('GET')
  if (ctx.agent?.isStopped && isWrite && rule !== 'stops') return agentStopped()
  if (rule === 'refused') return refused(ctx, endpoint)
  if (rule === 'by_change_set') return changeSetRequired()
  if (endpoint.operation === 'getApiKey' && id !== ctx.actor.id) return refused(ctx, endpoint)
  return undefined
}

/** A key reads itself, though its role does not read keys. */
export const isOwnKey = ({ operation }: Endpoint): boolean => operation === 'getApiKey'

type Content = { query: Query; body: unknown }

/** Refuses what only the request's content shows: files of figures, and other bulk work than pausing. */
export function checkAgentRequest(
  ctx: Context | BareContext,
  endpoint: Endpoint,
  { query, body }: Content,
): void {
  if (!('agent' in ctx) || !ctx.agent) return
  if (endpoint.streams && !endpoint.live && query.format === 'csv') throw refused(ctx, endpoint)
  if (endpoint.operation === 'bulkCampaigns' && !onlyPauses(body)) {
    throw ctx.agent.isStopped ? agentStopped() : changeSetRequired()
  }
}

function onlyPauses(body: unknown): boolean {
  const operations = memberOf(body, 'operations')
  const isPause = (each: unknown) =>
    memberOf(each, 'op') === 'action' && memberOf(each, 'action') === 'pause'
  return Array.isArray(operations) && operations.every(isPause)
}

const refused = (ctx: Context, { permission }: Endpoint) =>
  insufficientRole(ctx, permission?.roles ?? [])

const changeSetRequired = () =>
  new Problem(
    'change_set_required',
    'Agents change campaigns and templates by change sets only: propose it with POST /change_sets.',
  )

/** Counts a refused write of an agent, once nothing of it is left. */
export async function noteRefusal(
  ctx: Context | BareContext | undefined,
  endpoint: Endpoint,
  error: unknown,
): Promise<void> {
  if (!ctx || !('agent' in ctx) || !ctx.agent || !(error instanceof Problem)) return
  if (methodsOf(endpoint).includes('GET')) return
  for (const note of ctx.services.declared.onRefusal) await note(ctx, error)
}
