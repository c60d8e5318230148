import type { AgentRefusal } from '../../database/tables/json-columns.ts'
import { refusalsInHour } from '../../identity/agents/terms.ts'
import { actAsSystem, type Context } from '../../kernel/context.ts'
import type { OnRefusal } from '../../kernel/people.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { ProblemCode } from '../../problems/codes.ts'
import type { Fault } from '../../problems/fault.ts'
import type { Problem } from '../../problems/problem.ts'
import { stopKey } from './stops.ts'

const most = 5

const counted: readonly ProblemCode[] = [
  'agent_envelope_exceeded',
  'approval_required',
  'guardrail_violation',
  'insufficient_role',
]

/** A change set is refused by the faults of its operations. */
function codeOf({ code, faults }: Problem): ProblemCode | undefined {
  const codes = code === 'change_set_not_applicable' ? faults.map(meantBy) : [code]
  return counted.find((each) => codes.includes(each))
}

const meantBy = ({ code, rule }: Fault): string => (rule ? 'guardrail_violation' : code)

/** Counts the refusal of an agent’s write, after its rollback; five within an hour stop the key. */
export const noteRefusal: OnRefusal = async ({ agent, actor, dryRun, ...ctx }, problem) => {
  const code = codeOf(problem)
  if (!agent || !code || dryRun || actor.id === null) return
  const now = ctx.services.clock.now()
  const refusals = await store(ctx, actor.id, { code, at: now.toISOString() })
  if (refusalsInHour(refusals, now) < most) return
  const system = await actAsSystem(ctx.services, ctx.organization.id, 'Flightdeck')
  if (system)
    await stopKey(system, actor.id, {
      by: null,
      reason: `${most} refusals within an hour, the last: ${code}`,
    })
}

// A statement of its own: the transaction of what was refused is gone.
const storeSql = `
  update api_keys
  set refusals = jsonb_path_query_array(jsonb_build_array($3::jsonb) || refusals, '$[0 to 99]')
  where organization_id = $1 and id = $2 and stopped_at is null`
const readSql = 'select refusals from api_keys where organization_id = $1 and id = $2'

type Counting = Pick<Context, 'organization' | 'services'>

async function store(
  ctx: Counting,
  id: string,
  refusal: AgentRefusal,
): Promise<readonly AgentRefusal[]> {
  const { database } = ctx.services
  const storing = tenantQuery(ctx, storeSql, id, JSON.stringify(refusal))
  await database.transaction(async (tx) => tx.send(storing))
  const [row] = await database.reader.query<{ refusals: AgentRefusal[] }>(
    tenantQuery(ctx, readSql, id),
  )
  return row?.refusals ?? []
}
