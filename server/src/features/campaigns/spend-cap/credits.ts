/**
 * SQL of what credits exceed: those of a day count against what their own source has reported until
 * that day, and no further, so by how much its running sum falls below zero. `days` says which rows of
 * `results` count, of one campaign.
 */
export const excessCredits = (days: string): string => `
  coalesce((
    select -sum(least(0, of_source.lowest)) from (
      select by_day.source, min(by_day.running) as lowest from (
        select source, sum(spend_minor + adjustment_minor) over (partition by source order by date)
          as running
        from results where organization_id = $1 and ${days}) as by_day
      group by by_day.source) as of_source), 0)`
