import { isDeepStrictEqual } from 'node:util'
import type { Reaction } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { exponentFor } from '../../../values/money.ts'
import { firstDayOf } from '../../../values/times.ts'
import { markClients, markClientsOf } from '../pacing/mark-clients.ts'
import { countClientMonths } from '../spend-cap/client-months.ts'
import { keyOf } from './facts.ts'

const ensureSql = `
  insert into client_pacing (organization_id, id, client_id, month, currency, currency_exponent,
    is_running)
  select $1, id, $2, $3, currency, currency_exponent, false
  from unnest($4::text[], $5::text[], $6::smallint[]) as budgeted (id, currency, currency_exponent)
  on conflict (organization_id, id) do nothing`

// The background keeps those that have a plan.
const forgetSql = `
  delete from client_pacing
  where organization_id = $1 and client_id = $2 and month = $3 and planned_minors is null
    and currency <> all($4::text[])`

/** A month with a budget is listed at once, however far away it is. */
export const followBudget: Reaction = async (ctx, _before, after) => {
  if (!after) return
  const { id, month, currencies } = budgetIn(after)
  const first = firstDayOf(month)
  const ids = currencies.map((currency) => keyOf({ client_id: id, currency }, month))
  ctx.tx.send(tenantQuery(ctx, forgetSql, id, first, currencies))
  const exponents = currencies.map(exponentFor)
  ctx.tx.send(tenantQuery(ctx, ensureSql, id, first, ids, currencies, exponents))
  ctx.tx.send(markClients(ctx, [id], ctx.now))
  await countClientMonths(ctx, [id])
}

/** The parts of a budget, as its event shows it. */
function budgetIn({ id, month, amounts }: Readonly<Record<string, unknown>>) {
  const currencies = Array.isArray(amounts) ? amounts.map(({ currency }) => String(currency)) : []
  return { id: String(id), month: String(month), currencies }
}

export const followClient: Reaction = async (ctx, before, after) => {
  if (!after || before?.time_zone === after.time_zone) return
  ctx.tx.send(markClients(ctx, [after.id], ctx.now))
  await countClientMonths(ctx, [after.id])
}

export const followOrganization: Reaction = async (ctx, before, after) => {
  if (before?.time_zone === after?.time_zone) return
  ctx.tx.send(markClients(ctx, null, ctx.now))
  // The context still has the zone of before.
  const organization = { ...ctx.organization, timeZone: String(after?.time_zone) }
  await countClientMonths({ ...ctx, organization }, null)
}

/** Other bounds may mean another status, for every client. */
export const followBounds: Reaction = async (ctx, before, after) => {
  if (!isDeepStrictEqual(before?.pacing, after?.pacing))
    ctx.tx.send(markClients(ctx, null, ctx.now))
  // Months count from the moment on that they stop campaigns.
  if (!isDeepStrictEqual(before?.stop_scopes, after?.stop_scopes))
    await countClientMonths(ctx, null)
}

/** A profile takes its campaigns and results along. */
export const followMove: Reaction = async (ctx, before, after) => {
  if (!after || before?.client_id === after.client_id) return
  const ids = [before?.client_id, after.client_id].filter((id) => typeof id === 'string')
  ctx.tx.send(markClients(ctx, ids, ctx.now))
  await countClientMonths(ctx, ids)
}

/** The background assesses no campaign that is over, or gone. */
export const followEnd: Reaction = async (ctx, before, after) => {
  const campaign = after ?? before
  const isOver = after === null || after.status === 'completed' || after.status === 'archived'
  if (!campaign?.launched_at || !isOver) return
  ctx.tx.send(markClientsOf(ctx, [String(campaign.profile_id)], ctx.now))
}
