import type { ReadinessReport } from '../../observability/readiness.ts'
import { html } from '../../values/markup/html.ts'
import { page } from './page.ts'

type About = { version: string; publicUrl: string; report: ReadinessReport }

const links = [
  ['/console', 'Console', 'Campaigns, budgets and approvals in a browser.'],
  ['/docs', 'API reference', 'Every endpoint, with a request client.'],
  ['/api/v1/openapi.json', 'OpenAPI document', 'Version 3.1, for clients and tools.'],
  ['/problems', 'Problems', 'Every error code: its cause and remedy.'],
  ['/readyz', 'Readiness', 'The state of the service’s dependencies.'],
] as const

/** The page at `/`. */
export const homePage = ({ version, publicUrl, report }: About): string =>
  page(
    'Flightdeck',
    html`<section class="hero">
<span class="pill${report.ready ? '' : ' bad'}">${statusText(report)}</span>
<h1>Every campaign, on one deck.</h1>
<p class="lead">Flightdeck is a self-hosted service that manages advertising campaigns over HTTP:
campaigns, profiles, proxies, templates, webhook endpoints, and an audit log that cannot be rewritten.</p>
<ul class="cards">
${links.map(([href, name, about]) => html`<li><a href="${href}"><b>${name}</b><span>${about}</span></a></li>\n`)}</ul>
</section>
<h2>First steps</h2>
<pre><code>${quickStart(`${publicUrl}/api/v1`)}</code></pre>
<footer>Flightdeck ${version}</footer>`,
  )

function statusText({ ready, draining, checks }: ReadinessReport): string {
  if (ready && checks.writes === 'failed') return 'Ready for reads: the database takes no writes'
  if (ready) return 'Ready for requests'
  if (draining) return 'Shutting down'
  const bad = Object.entries(checks).filter(
    ([, state]) => state === 'failed' || state === 'starting',
  )
  return `Not ready: ${bad.map(([name, state]) => `${name} ${state}`).join(', ')}`
}

const quickStart = (baseUrl: string) => `BASE=${baseUrl}

# 1. Log in. The token is valid for 24 hours.
TOKEN=$(curl -s $BASE/auth/login -H 'content-type: application/json' \\
  -d '{"email": "you@example.com", "password": "…"}' | jq -r .token)

# 2. A profile is the advertiser account that campaigns run under.
PROFILE=$(curl -s $BASE/profiles -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' -d '{"name": "Main account"}' | jq -r .id)

# 3. A campaign begins as a draft.
curl -s $BASE/campaigns -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"name": "Spring Sale 2026", "objective": "sales", "profile_id": "'$PROFILE'",
       "daily_budget": 33.51, "currency": "USD"}'`
