import type { WriteContext } from '../../kernel/context.ts'
import type { LedgerEvent } from '../../kernel/ledger.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { isId } from '../../values/ids.ts'
import { campaignIds } from '../campaigns/resource.ts'
import { addedSums, labelsOf, sumColumns } from './report/sums.ts'

const signed = `
  sum(sign), sum(sign * is_final::integer),
  sum(sign * spend_minor), sum(sign * adjustment_minor),
  sum(sign * coalesce(impressions, 0)), sum(sign * (impressions is not null)::integer),
  sum(sign * coalesce(clicks, 0)), sum(sign * (clicks is not null)::integer),
  sum(sign * coalesce(conversions_millionths, 0)),
  sum(sign * (conversions_millionths is not null)::integer),
  sum(sign * coalesce(conversion_value_minor, 0)),
  sum(sign * (conversion_value_minor is not null)::integer)`

/** Takes from where the campaigns were, and gives to where they are now; `places` has both, by key. */
const moveSql = (table: string, keys: readonly string[], places: string) => `
  insert into ${table} (organization_id, date, currency, source, ${keys}, ${sumColumns})
  select $1::text, r.date, c.currency, r.source, ${keys.map((key) => `place.${key}`)}, ${signed}
  from json_to_recordset($2::json) as moved (id text, profile_id text, labels text[])
  join campaigns c on c.organization_id = $1 and c.id = moved.id
  join results r on r.organization_id = $1 and r.campaign_id = moved.id
  cross join lateral (
    select ${keys}, sum(sign)::integer as sign from (${places}) as way (${keys}, sign)
    group by ${keys} having sum(sign) <> 0) as place
  group by r.date, c.currency, r.source, ${keys.map((key) => `place.${key}`)}
  on conflict (organization_id, date, currency, source, ${keys}) do update set ${addedSums(table)}`

const profileBefore = 'coalesce(moved.profile_id, c.profile_id)'
const labelsBefore = 'coalesce(moved.labels, c.labels)'

const moveDaysSql = moveSql(
  'result_days',
  ['profile_id'],
  `values (${profileBefore}, -1), (c.profile_id, 1)`,
)

const moveLabelsSql = moveSql(
  'result_labels',
  ['label', 'profile_id'],
  `select ${labelsOf(labelsBefore)}, ${profileBefore}, -1
    union all select ${labelsOf('c.labels')}, c.profile_id, 1`,
)

/** A campaign, and what was changed of it; null: as it is now. */
type Move = { id: string; profile_id: unknown; labels: unknown }

/**
 * Sums follow campaigns whose labels have changed, and drafts that have moved to another profile: all
 * those of a transaction at once, when it commits.
 */
export function moveSums(ctx: WriteContext, events: readonly LedgerEvent[]): void {
  const moves = movesOf(events)
  if (moves.some(({ profile_id }) => profile_id !== null)) {
    ctx.tx.send(tenantQuery(ctx, moveDaysSql, JSON.stringify(moves)))
  }
  if (moves.length > 0) ctx.tx.send(tenantQuery(ctx, moveLabelsSql, JSON.stringify(moves)))
}

function movesOf(events: readonly LedgerEvent[]): Move[] {
  const moves = new Map<string, Move>()
  for (const { data } of events) {
    const { id } = data.object
    const { profile_id = null, labels = null } = data.previous ?? {}
    if ((profile_id ?? labels) === null || !isCampaign(id)) continue
    const known = moves.get(id)
    moves.set(id, {
      id,
      profile_id: known?.profile_id ?? profile_id,
      labels: known?.labels ?? labels,
    })
  }
  return [...moves.values()]
}

const isCampaign = (id: unknown): id is string => typeof id === 'string' && isId(campaignIds, id)
