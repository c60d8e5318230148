import type { Context, Reaction, WriteContext } from '../../../kernel/context.ts'
import { update } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { ScheduleRow } from './present.ts'
import { nextTime } from './times.ts'

const movedSql = `
  select s.id, s.every, s.day, s.hour, s.next_at, coalesce(c.time_zone, $2) as time_zone
  from report_schedules s
  join reports r on r.organization_id = s.organization_id and r.id = s.report_id
  left join clients c on c.organization_id = r.organization_id and c.id = r.client_id
  where s.organization_id = $1 and s.time_zone <> coalesce(c.time_zone, $2)`

type MovedSchedule = Pick<ScheduleRow, 'id' | 'every' | 'day' | 'hour' | 'next_at' | 'time_zone'>

/** Schedules keep their hour in another time zone. Their versions stay: no one has changed them. */
async function follow(ctx: WriteContext, timeZone: string): Promise<void> {
  const rows = await ctx.reader.query<MovedSchedule>(tenantQuery(ctx, movedSql, timeZone))
  for (const { id, next_at, ...rhythm } of rows) {
    const next = next_at === null ? null : nextTime(rhythm, ctx.now)
    update(ctx, 'report_schedules', { id, time_zone: rhythm.time_zone, next_at: next })
  }
}

const zoneOf = ({ organization }: Context): string => organization.timeZone

export const followReport: Reaction = async (ctx, before, after) => {
  if (before?.client_id !== after?.client_id) await follow(ctx, zoneOf(ctx))
}

export const followClient: Reaction = async (ctx, before, after) => {
  if (before?.time_zone !== after?.time_zone) await follow(ctx, zoneOf(ctx))
}

/** The context still has the zone of before. */
export const followOrganization: Reaction = async (ctx, before, after) => {
  if (before?.time_zone !== after?.time_zone) await follow(ctx, String(after?.time_zone))
}
