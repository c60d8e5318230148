/** The statements that fill an organization `$1` for the growth bench. */

const hash = (salt: string) => `abs(hashint4(n + ${salt}))`

const pick = (words: string, salt: string) =>
  `(string_to_array('${words}', ' '))[1 + ${hash(salt)} % ${words.split(' ').length}]`

const named = `${pick('Spring Summer Autumn Winter Holiday Launch Evergreen Weekend', '1')} || ' ' ||
  ${pick('Boots Jackets Tents Lamps Backpacks Grinders Bicycles Skis Kayaks Watches', '2')} || ' – ' ||
  ${pick('Berlin Paris Tokyo Madrid Oslo Zürich Lyon Porto Turin Vienna Riga Malmö', '3')} || ' ' ||
  ${pick('search video retargeting prospecting newsletter brand', '4')} || ' ' || n ||
  case when n % 4000 = 7 then ' stroopwafel' else '' end`

const folding = (name: string) => `lower(${name})`

const plain = (name: string) => `nullif(plain_text(${folding(name)}), ${folding(name)})`

/** `$2`: ids, `$3`: the user. */
export const clientsSql = `
  insert into clients (organization_id, id, name, name_folded, nfkc_name_folded, status, labels,
    metadata, version, created_at, updated_at, created_by, updated_by)
  select $1, id, 'Client ' || n, 'client ' || n, 'client ' || n, 'active', '{}', '{}', 1, now(), now(),
    $3, $3
  from unnest($2::text[]) with ordinality as t (id, n)`

/** `$2`: ids, `$3`: the user, `$4`: the clients. */
export const profilesSql = `
  insert into profiles (organization_id, id, name, name_folded, platform, currency, time_zone,
    status, client_id, labels, metadata, version, created_at, updated_at, created_by, updated_by)
  select $1, id, 'Profile ' || n, 'profile ' || n, ${pick('google_ads meta tiktok', '9')},
    case n % 5 when 0 then 'EUR' else 'USD' end, 'UTC', 'active',
    ($4::text[])[1 + n % cardinality($4::text[])], '{}', '{}', 1, now(), now(), $3, $3
  from unnest($2::text[]) with ordinality as t (id, n_big), lateral (select n_big::int as n) as number`

/** `$2`: the id, `$3`: the user. */
export const templateSql = `
  insert into templates (organization_id, id, name, name_folded, defaults, locked_fields, labels,
    metadata, version, created_at, updated_at, created_by, updated_by)
  values ($1, $2, 'Seasonal', 'seasonal', '{}', '{}', '{}', '{}', 1, now(), now(), $3, $3)`

const statusOf = `case
    when n % 100 = 3 then 'archived' when n % 100 = 5 then 'scheduled'
    when n % 20 < 9 then 'active' when n % 20 < 12 then 'paused'
    when n % 20 < 16 then 'completed' else 'draft' end`

/** `$2`: ids, `$3`: the profiles, `$4`: the template, `$5`: the user. None is in review. */
export const campaignsSql = `
  insert into campaigns (organization_id, id, name, name_folded, plain_name_folded, objective,
    profile_id, status, status_reason, status_before_archive, daily_budget_minor,
    lifetime_budget_minor, daily_cost_minor, currency, currency_exponent, start_at, end_at, time_zone,
    external_id, labels, metadata, notes, template_id, template_version, version, created_at,
    updated_at, launched_at, archived_at, created_by, updated_by)
  select $1, id, name, ${folding('name')}, ${plain('name')},
    ${pick('awareness reach traffic engagement video_views leads conversions sales', '5')},
    ($3::text[])[1 + n % cardinality($3::text[])], status,
    case when n % 4000 = 9 then 'spend_cap_reached' end,
    case status when 'archived' then 'completed' end,
    case when n % 10 <> 1 then 1000 + ${hash('6')} % 1000000 end,
    case when n % 10 = 1 then 1000000 + ${hash('6')} % 1000000 end,
    1000 + ${hash('6')} % 1000000, case (n + 1) % 5 when 0 then 'EUR' else 'USD' end, 2,
    case when n % 2 = 0 then now() - interval '300 days' + ${hash('7')} % 600 * interval '1 day' end,
    case when n % 3 > 0 then now() + interval '301 days' + ${hash('7')} % 600 * interval '1 day' end,
    'UTC', case when n % 2 = 1 then 'crm-' || n end,
    array_remove(array[case when n % 3 = 0 then 'emea' end, case when n % 7 = 0 then 'spring' end,
      case when n % 5 = 0 then 'team ' || n % 40 end, case when n % 4000 = 7 then 'rare' end], null),
    '{"crm": "4711"}', case when n % 3 = 0 then 'Runs as agreed with the client.' end,
    case when n % 50 = 0 then $4 end, case when n % 50 = 0 then 1 end, 1,
    now() - (cardinality($2::text[]) - n) * interval '1 second',
    now() - ${hash('8')} % 200000 * interval '1 second', now() - interval '500 days',
    case status when 'archived' then now() end, $5, $5
  from unnest($2::text[]) with ordinality as t (id, n_big),
    lateral (select n_big::int as n) as number,
    lateral (select ${named} as name, ${statusOf} as status) as made`

export const countsSql = `
  insert into campaign_counts
  select organization_id, profile_id, status, objective, currency, count(*) from campaigns
  where organization_id = $1 group by 1, 2, 3, 4, 5
  on conflict on constraint campaign_counts_pkey do update set campaigns = excluded.campaigns`

/** `$2` to `$3`: the days, the last excluded; `$4`: of one in how many campaigns. */
/** Spends are spread as they are among campaigns: many are small, a few large (lognormally). */
const spend = `round(20000 * exp(1.2 * sqrt(-2 * ln((${hash('9')} % 99991 + 1) / 100000.0))
    * cos(2 * pi() * (${hash('11')} % 100000) / 100000)))`

export const resultsSql = `
  insert into results (organization_id, campaign_id, date, source, spend_minor, adjustment_minor,
    impressions, clicks, conversions_millionths, conversion_value_minor, is_final, reported_at)
  select $1, id, day::date, 'bench', ${spend} * (90 + ${hash('extract(day from day)::int')} % 20) / 100,
    0, 10000, 300, 4000000, 9000, true, now() - interval '1 hour'
  from (select id, (row_number() over (order by id))::int as n from campaigns
    where organization_id = $1) as c
  cross join generate_series($2::date, $3::date - 1, interval '1 day') as day
  where n % $4 = 0`

const summed = `count(*), count(*), sum(spend_minor), 0, sum(impressions), count(*), sum(clicks),
  count(*), sum(conversions_millionths), count(*), sum(conversion_value_minor), count(*)`

export const sumsSql: readonly string[] = [
  `insert into result_months select $1, campaign_id, date_trunc('month', date)::date, source, ${summed}
    from results where organization_id = $1 group by 2, 3, 4 order by 3, 2`,
  `insert into result_days select $1, date, c.currency, source, ${summed}, profile_id
    from results r join campaigns c on c.organization_id = $1 and c.id = r.campaign_id
    where r.organization_id = $1 group by 2, 3, 4, profile_id`,
  `insert into result_labels (organization_id, date, label, currency, source, profile_id, row_count,
      final_count, spend_minor, adjustment_minor, impressions, impressions_count, clicks, clicks_count,
      conversions_millionths, conversions_count, conversion_value_minor, conversion_value_count)
    select $1, date, label, c.currency, source, profile_id, ${summed}
    from results r join campaigns c on c.organization_id = $1 and c.id = r.campaign_id
    cross join lateral unnest(case when labels = '{}' then array[''] else labels end) as each (label)
    where r.organization_id = $1 group by 2, 3, 4, 5, 6`,
  `insert into result_sources select $1, campaign_id, source, max(reported_at), max(date)
    from results where organization_id = $1 group by 2, 3`,
  `insert into result_source_totals
    select $1, source, count(*), max(reported_at), max(complete_through)
    from result_sources where organization_id = $1 group by 2`,
]

const pacingStatus = `case when n % 400 = 1 then 'critical' when n % 40 = 2 then 'over'
  when n % 10 = 3 then 'under' else 'on_track' end`

/** Judged until tomorrow; nothing is exhausted. */
export const pacingSql = `
  insert into campaign_pacing (organization_id, id, name, profile_id, campaign_status, currency,
    currency_exponent, status, money_at_risk, spent_minor, figures, reported_at, due_at, revision)
  select $1, id, name, profile_id, status, currency, currency_exponent, judged, risk * 100, 700000,
    json_build_object(
      'period', json_build_object('start', date_trunc('month', now()), 'end', null),
      'target_minor', 1000000, 'spent_minor', 700000, 'expected_minor', 700000,
      'pacing_index', 1, 'projected_minor', 1000000, 'required_daily_minor', 30000,
      'money_at_risk_minor', risk, 'complete_through', current_date - 1, 'last_reported_at', now(),
      'days_left', 10, 'status', judged, 'confidence', 'normal', 'overspend', '[]'::json,
      'sources', '["bench"]'::json),
    now(), now() + interval '1 day', 1
  from (select c.*, n, ${pacingStatus} as judged, ${hash('11')} % 1000000 as risk
    from (select *, (row_number() over (order by id))::int as n from campaigns
      where organization_id = $1) as c) as c
  where status in ('scheduled', 'active', 'paused')`

/** One for each of `$2`, with an operation on the campaign of `$3`; `$4`: the user. */
export const changeSetsSql = `
  with made as (
    insert into change_sets (organization_id, id, title, source_kind, mode, status, operation_count,
      summary, spend_delta, approval_required, approval_reasons, applicable, tried_at,
      expires_in_hours, expires_at, ended_at, version, created_at, updated_at, created_by, updated_by)
    select $1, id, 'Raise budgets ' || n, 'console', 'atomic',
      case when n % 50 = 0 then 'open' else 'applied' end, 1,
      '{"create":0,"update":1,"action":0,"delete":0,"unchanged":0,"failed":0}', '[]', false, '{}',
      true, now(), 72, now() + interval '72 hours', case when n % 50 > 0 then now() end, 1,
      now() - n * interval '1 minute', now() - n * interval '1 minute', $4, $4
    from unnest($2::text[]) with ordinality as t (id, n))
  insert into change_set_operations (organization_id, id, change_set_id, index, resource, op,
    object_id, target, version_given, body, effect, name, version_seen, changes, warnings)
  select $1, id || '/0', id, 0, 'campaign', 'update', campaign, campaign, 1, '{"daily_budget":100}',
    'update', 'Campaign', 1, '[{"field":"daily_budget","before":50,"after":100}]', '[]'
  from unnest($2::text[], $3::text[]) as t (id, campaign)`

/** `$2`: ids; the bodies are shorter than real ones. */
export const eventsSql = `
  insert into events (organization_id, sequence, id, type, occurred_at, body)
  select $1, n, id, case n % 3 when 0 then 'campaign.created' else 'campaign.updated' end, now(),
    json_build_object('id', id, 'type', 'campaign.updated', 'sequence', n, 'timestamp', now(),
      'actor', json_build_object('type', 'system', 'id', 'system', 'name', 'System'), 'data',
      json_build_object('object', json_build_object('id', 'cmp', 'name', repeat('x', 1500))))::text
  from unnest($2::text[]) with ordinality as t (id, n)`

/** `$2`: ids, `$3`: the campaigns, `$4`: the user. They are no chain. */
export const recordsSql = `
  insert into audit_logs (organization_id, sequence, id, occurred_at, action, outcome, actor,
    resource, changes, request, prev_hash, hash, stored_on)
  select $1, n, id, now(), 'campaign.created', 'success',
    json_build_object('type', 'user', 'id', $4::text, 'name', 'Bench'),
    json_build_object('type', 'campaign', 'id', campaign, 'name', 'Autumn Boots ' || n),
    '[{"field": "status", "before": null, "after": "draft"}]', '{"id": "req"}',
    repeat('0', 64), repeat('0', 64), current_date
  from unnest($2::text[], $3::text[]) with ordinality as t (id, campaign, n)`

export const headSql = `
  update organization_heads set audit_sequence = $2, event_sequence = $2, counts = $3 where organization_id = $1`
