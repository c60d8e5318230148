import type { Action } from '../../features/campaigns/lifecycle/transitions.ts'
import type { CampaignInput } from '../../features/campaigns/schema.ts'
import type { ProfileInput } from '../../features/profiles/schema.ts'
import type { ProxyInput } from '../../features/proxies/schema.ts'
import type { TemplateInput } from '../../features/templates/schema.ts'

/**
 * A fictional outdoor brand and its advertising, with hosts reserved for examples. Nothing answers
 * there, so all proxies but one are disabled: checks would fail, and block campaigns.
 */
const disabled = { enabled: false, notes: 'An example: disabled, so that it is not checked.' }

export const proxies: readonly ProxyInput[] = [
  {
    name: 'Frankfurt',
    protocol: 'https',
    host: 'fra.egress.example.net',
    port: 8443,
    country: 'DE',
    ...disabled,
  },
  {
    name: 'London',
    protocol: 'https',
    host: 'lon.egress.example.net',
    port: 8443,
    country: 'GB',
    ...disabled,
  },
  {
    name: 'New York',
    protocol: 'http',
    host: 'nyc.egress.example.net',
    port: 3128,
    country: 'US',
    username: 'northwind',
    password: 'demo-only-credential',
    ...disabled,
  },
  {
    name: 'Tokyo (fails on purpose)',
    protocol: 'socks5',
    host: 'tyo.egress.example.net',
    port: 1080,
    country: 'JP',
    notes:
      'Its host does not exist: after three checks, about 20 minutes, it is failing, and campaigns of its profile are blocked.',
  },
]

type DemoProfile = ProfileInput & { currency: string; proxy: string | null }

const account = (
  name: string,
  place: Omit<DemoProfile, 'name' | 'account_ref'>,
  account_ref: string,
): DemoProfile => ({ name, account_ref, ...place })

const germany = {
  client: 'Northwind Europe',
  currency: 'EUR',
  time_zone: 'Europe/Berlin',
  country: 'DE',
  proxy: 'Frankfurt',
}
const britain = {
  client: 'Northwind Europe',
  currency: 'GBP',
  time_zone: 'Europe/London',
  country: 'GB',
  proxy: 'London',
}
const america = {
  client: 'Northwind Americas',
  currency: 'USD',
  time_zone: 'America/New_York',
  country: 'US',
  proxy: 'New York',
}
const japan = { client: 'Northwind Japan', currency: 'JPY', time_zone: 'Asia/Tokyo', country: 'JP' }

export const profiles: readonly DemoProfile[] = [
  account(
    'Northwind DE – Google',
    { platform: 'google_ads', ...germany, proxy: null },
    '482-113-9045',
  ),
  account('Northwind DE – Meta', { platform: 'meta', ...germany }, 'act_20481137'),
  account('Northwind UK – Google', { platform: 'google_ads', ...britain }, '771-204-3318'),
  account('Northwind UK – TikTok', { platform: 'tiktok', ...britain }, '7120448193'),
  account('Northwind US – Meta', { platform: 'meta', ...america, proxy: null }, 'act_90817264'),
  account('Northwind US – Amazon', { platform: 'amazon_ads', ...america }, 'ENTITY3QK9'),
  account('Northwind US – LinkedIn', { platform: 'linkedin', ...america }, '508211947'),
  account(
    'Northwind JP – Google',
    { platform: 'google_ads', ...japan, proxy: null },
    '330-918-5521',
  ),
  account(
    'Northwind JP – X',
    { platform: 'x', ...japan, proxy: 'Tokyo (fails on purpose)' },
    '18ce54d4x5t',
  ),
]

/** The accounts that the simulated network holds: they have no proxy, which does not exist. */
export const connectedAccounts = ['482-113-9045', 'act_90817264']

export const templates: readonly TemplateInput[] = [
  {
    name: 'Always-on search',
    description: 'Brand and category terms, all year.',
    defaults: { objective: 'traffic', labels: ['always-on', 'search'] },
    locked_fields: ['objective'],
  },
  {
    name: 'Seasonal sale',
    description: 'Two weeks around a sale, on every network.',
    defaults: { objective: 'sales', labels: ['sale'], notes: 'Check the stock before launch.' },
  },
  {
    name: 'New product reach',
    description: 'First four weeks of a new product.',
    defaults: { objective: 'reach', labels: ['launch'] },
    locked_fields: ['objective', 'labels'],
  },
  {
    name: 'Newsletter leads',
    description: 'Sign-ups, counted by the landing page.',
    defaults: { objective: 'leads', labels: ['crm'], metadata: { owner: 'crm-team' } },
  },
]

const products = ['Trail shoes', 'Rain jackets', 'Tents', 'Backpacks', 'Headlamps', 'Sleeping bags']
const angles = [
  'spring sale',
  'always on',
  'new arrivals',
  'retargeting',
  'newsletter',
  'video',
  'gift guide',
]
const objectives = ['sales', 'traffic', 'reach', 'conversions', 'leads', 'video_views', 'awareness']

/** Actions on a campaign after its creation; `starts` in days from now. */
type Course = { actions: readonly Action[]; starts: number | null; ends: number | null }

const courses: readonly Course[] = [
  { actions: ['launch'], starts: -12, ends: 30 },
  { actions: ['launch'], starts: null, ends: null },
  { actions: [], starts: 14, ends: 28 },
  { actions: ['launch', 'pause'], starts: -30, ends: 21 },
  { actions: ['launch'], starts: 9, ends: 40 },
  { actions: ['launch', 'complete'], starts: -45, ends: 2 },
  { actions: ['launch', 'complete', 'archive'], starts: -90, ends: 1 },
]

/** How long ago the oldest campaigns were launched. */
export const daysOfResults = 60

export const dayBeforeAll = (now: Date): string => daysFrom(now, -daysOfResults - 1)

export type DemoCampaign = {
  /** Decides on its budget, and on how it spends. */
  number: number
  /** When it was created and launched. */
  begun: string
  /** Index of the profile it runs under. */
  profile: number
  input: Omit<CampaignInput, 'profile_id'>
  actions: readonly Action[]
}

/** One campaign for each product and angle, so that every state occurs several times. */
export const campaignsAt = (now: Date): DemoCampaign[] =>
  products.flatMap((product, row) =>
    angles.map((angle, column) => {
      const number = row * angles.length + column
      const course = courses[(row + column) % courses.length] ?? {
        actions: [],
        starts: null,
        ends: null,
      }
      const profile = number % profiles.length
      const daily_budget = budget(number, profiles[profile]?.currency === 'JPY')
      return {
        number,
        begun: daysFrom(
          now,
          Math.max(-daysOfResults, Math.min(0, course.starts ?? -daysOfResults)),
        ),
        profile,
        actions: course.actions,
        input: {
          name: `${product} – ${angle}`,
          objective: objectives[column] ?? 'sales',
          daily_budget,
          lifetime_budget: number % 3 === 0 ? daily_budget * 30 : null,
          start_at: course.starts === null ? null : daysFrom(now, course.starts),
          end_at: course.ends === null ? null : daysFrom(now, course.ends),
          external_id: `NW-${String(1001 + number)}`,
          labels: [product.toLowerCase(), angle],
          metadata: { cost_center: `4${String(100 + row)}` },
        },
      }
    }),
  )

/** Whole yen; otherwise quarters of the unit, which binary numbers represent exactly. */
const budget = (number: number, isYen: boolean): number =>
  isYen ? 2_000 + number * 250 : 20 + number * 3.25

const daysFrom = (now: Date, days: number): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString()
