-- What decides whether the campaigns of a profile may run. `campaign_details` has the same for each of
-- them: a cluster of Citus reads the campaign and this apart, as planning all six tables takes longest.
create view profile_facts as
  select profiles.organization_id, profiles.id, profiles.status as profile_status,
    profiles.currency as profile_currency, profiles.time_zone as profile_time_zone,
    profiles.daily_budget_cap_minor as profile_cap_minor,
    profiles.monthly_spend_cap_minor as profile_spend_cap_minor,
    profiles.spent_month as profile_spent_month, profiles.spent_minor as profile_spent_minor,
    profiles.connector_state, proxies.status as proxy_status, guardrails.rules as guardrails,
    clients.month_spending as client_spending
  from profiles
  left join proxies on proxies.organization_id = profiles.organization_id and proxies.id = profiles.proxy_id
  left join clients on clients.organization_id = profiles.organization_id and clients.id = profiles.client_id
  left join guardrails on guardrails.organization_id = profiles.organization_id;
