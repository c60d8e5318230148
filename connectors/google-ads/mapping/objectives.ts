import type { Observed, Plan } from '../../kit/src/connect.ts'

/** The campaign type and the bidding of each objective, where there is a safe standard. */

export type Kind = { channel: string; bidding: string }

const search = (bidding: string): Kind => ({ channel: 'SEARCH', bidding })

const standards: Readonly<Record<string, Kind | null>> = {
  traffic: search('targetSpend'),
  leads: search('maximizeConversions'),
  conversions: search('maximizeConversions'),
  sales: search('maximizeConversionValue'),
  awareness: { channel: 'DISPLAY', bidding: 'manualCpm' },
  reach: { channel: 'DISPLAY', bidding: 'manualCpm' },
  engagement: null,
  video_views: null,
  app_promotion: null,
}

/** The biddings that `settings` may name, each without a value of its own. */
export const biddings = [
  'manualCpc',
  'manualCpm',
  'manualCpv',
  'maximizeConversions',
  'maximizeConversionValue',
  'targetSpend',
] as const

/** Campaign types that `settings` may name. */
export const channels = [
  'SEARCH',
  'DISPLAY',
  'SHOPPING',
  'PERFORMANCE_MAX',
  'DEMAND_GEN',
  'VIDEO',
  'MULTI_CHANNEL',
] as const

/** A guess: only their time of day is kept; others have whole days. */
const toTheSecond: readonly string[] = ['VIDEO', 'DEMAND_GEN']
export const hasTimeOfDay = (channel: string): boolean => toTheSecond.includes(channel)

/** Days that a lifetime budget may run; null: never, as display campaigns have none. */
export const flightDays: Readonly<Record<string, readonly [least: number, most: number] | null>> = {
  SEARCH: [3, 90],
  SHOPPING: [3, 90],
  PERFORMANCE_MAX: [3, 90],
  DEMAND_GEN: [7, 366],
  DISPLAY: null,
}

export const kindOf = ({ objective }: Pick<Plan, 'objective'>): Kind | null =>
  standards[objective] ?? null

/** The objective that the bidding and the type of a campaign stand for; undefined: unknown. */
export function objectiveOf(channel: string, biddingType: string): Observed['objective'] {
  if (channel === 'DISPLAY' && biddingType === 'MANUAL_CPM') return 'awareness'
  const ofBidding: Readonly<Record<string, 'traffic' | 'conversions' | 'sales'>> = {
    TARGET_SPEND: 'traffic',
    MANUAL_CPC: 'traffic',
    MAXIMIZE_CONVERSIONS: 'conversions',
    TARGET_CPA: 'conversions',
    MAXIMIZE_CONVERSION_VALUE: 'sales',
    TARGET_ROAS: 'sales',
  }
  const ofChannel: Readonly<Record<string, 'video_views' | 'app_promotion' | 'sales'>> = {
    VIDEO: 'video_views',
    MULTI_CHANNEL: 'app_promotion',
    SHOPPING: 'sales',
  }
  return ofChannel[channel] ?? ofBidding[biddingType]
}
