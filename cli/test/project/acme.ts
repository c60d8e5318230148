/** A project with objects of each kind but proxies. */
export const project = `
project: acme-q1
defaults: {currency: USD, time_zone: Europe/Berlin, labels: [acme]}
clients:
  acme: {name: Acme}
profiles:
  acme-meta: {client: acme, platform: meta, daily_budget_cap: 500}
templates:
  always-on: {defaults: {profile: acme-meta, objective: sales, daily_budget: 20}}
campaigns:
  spring-sale:
    profile: acme-meta
    objective: sales
    daily_budget: 33.51
    schedule: [{day: [mon, tue], start: "08:00", end: "20:00"}]
    state: active
  outlet: {template: always-on, metadata: {crm_id: "4711"}}
`
