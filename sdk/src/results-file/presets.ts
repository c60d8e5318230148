/**
 * Headers of the files that networks export, in English, by what they are here; the first name that
 * a file has counts. Names as their exports had them on 2026-11-24; sources:
 *
 * - Google Ads: report editor and campaign table, downloaded as CSV.
 *   https://support.google.com/google-ads/answer/2404176
 * - Meta: Ads Reporting, broken down by day. https://www.facebook.com/business/help/318580098318734
 * - TikTok: Ads Manager, campaigns by day. https://ads.tiktok.com/help/article/export-reports
 * - Microsoft: campaign report, and the files of its Reporting API.
 *   https://learn.microsoft.com/advertising/guides/report-attributes-columns
 * - LinkedIn: Campaign Manager, performance report by day, which has its days in UTC.
 *   https://www.linkedin.com/help/lms/answer/a421053
 */

import type { Field } from './fields.ts'

export type Network = (typeof networks)[number]

export const networks = ['google_ads', 'meta', 'tiktok', 'microsoft', 'linkedin'] as const

export type Preset = {
  readonly name: string
  readonly columns: Readonly<Partial<Record<Field, readonly string[]>>>
  /** Columns by which the network is recognized. */
  readonly marks: readonly string[]
  /** Decides between days that read two ways; a day that reads one way is read so. */
  readonly dateFormat: string
  /** Advice for readers of its figures. */
  readonly note?: string
}

export const presets: Readonly<Record<Network, Preset>> = {
  google_ads: {
    name: 'Google Ads',
    columns: {
      external_id: ['campaign id'],
      campaign_name: ['campaign', 'campaign name'],
      date: ['day'],
      spend: ['cost'],
      currency: ['currency code'],
      impressions: ['impr.', 'impressions'],
      clicks: ['clicks'],
      conversions: ['conversions'],
      conversion_value: ['conv. value', 'conversion value'],
    },
    marks: ['impr.', 'conv. value', 'avg. cpc', 'avg. cost'],
    dateFormat: 'YYYY-MM-DD',
  },
  meta: {
    name: 'Meta',
    columns: {
      external_id: ['campaign id'],
      campaign_name: ['campaign name'],
      date: ['day', 'reporting starts'],
      end_date: ['reporting ends'],
      spend: ['amount spent'],
      currency: ['currency'],
      impressions: ['impressions'],
      clicks: ['link clicks', 'clicks (all)'],
      conversions: ['purchases', 'website purchases', 'results'],
      conversion_value: ['purchases conversion value', 'website purchases conversion value'],
    },
    marks: ['reporting starts', 'reporting ends', 'amount spent'],
    dateFormat: 'YYYY-MM-DD',
  },
  tiktok: {
    name: 'TikTok',
    columns: {
      external_id: ['campaign id'],
      campaign_name: ['campaign name'],
      date: ['by day', 'date', 'day'],
      spend: ['cost', 'total cost'],
      currency: ['currency'],
      impressions: ['impressions', 'impression'],
      clicks: ['clicks (destination)', 'clicks (all)', 'clicks'],
      conversions: ['conversions', 'complete payment', 'total conversions'],
      conversion_value: ['total complete payment value', 'total purchase value'],
    },
    marks: ['by day', 'clicks (destination)', 'cpc (destination)', 'total complete payment value'],
    dateFormat: 'YYYY-MM-DD',
  },
  microsoft: {
    name: 'Microsoft Advertising',
    columns: {
      external_id: ['campaign id', 'campaignid'],
      campaign_name: ['campaign name', 'campaignname', 'campaign'],
      date: ['gregorian date', 'gregoriandate', 'timeperiod', 'time period', 'date'],
      spend: ['spend'],
      currency: ['currency code', 'currencycode'],
      impressions: ['impressions'],
      clicks: ['clicks'],
      conversions: ['conversions'],
      conversion_value: ['revenue'],
    },
    marks: ['gregorian date', 'gregoriandate', 'timeperiod', 'ad distribution'],
    dateFormat: 'MM/DD/YYYY',
  },
  linkedin: {
    name: 'LinkedIn',
    columns: {
      external_id: ['campaign id'],
      campaign_name: ['campaign name'],
      date: ['start date (in utc)'],
      spend: ['total spent'],
      currency: ['currency'],
      impressions: ['impressions'],
      clicks: ['clicks'],
      conversions: ['conversions'],
      conversion_value: ['total conversion value'],
    },
    marks: ['start date (in utc)', 'total spent', 'campaign group name'],
    dateFormat: 'MM/DD/YYYY',
    note: 'LinkedIn counts days in UTC. Where a campaign has another time zone, its days are not quite the same.',
  },
}

/** Other names that people and programs give to the columns. */
const others: Preset['columns'] = {
  external_id: ['external id', 'campaign external id'],
  campaign_id: ['flightdeck id'],
  campaign_name: ['name'],
  date: ['date'],
  end_date: ['end date'],
  spend: ['spend', 'amount'],
  currency: ['currency'],
  clicks: ['link clicks'],
  conversions: ['orders', 'purchases'],
  conversion_value: ['conversion value', 'revenue', 'value'],
}

/** All names of a field, those of one network first. */
export function namesOf(field: Field, network: Network | null): readonly string[] {
  const own = network === null ? [] : (presets[network].columns[field] ?? [])
  const rest = networks.flatMap((each) => presets[each].columns[field] ?? [])
  return [...own, ...rest, ...(others[field] ?? [])]
}
