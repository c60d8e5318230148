import type { Days } from '../../kit/src/connect.ts'

/** Queries of the network. They ask only for names that public clients are seen to select. */

const customer =
  'customer.id, customer.descriptive_name, customer.currency_code, customer.time_zone, customer.status'

const campaign = [
  'campaign.id',
  'campaign.name',
  'campaign.status',
  'campaign.primary_status',
  'campaign.primary_status_reasons',
  'campaign.advertising_channel_type',
  'campaign.bidding_strategy_type',
  'campaign.bidding_strategy',
  'campaign.experiment_type',
  'campaign.start_date_time',
  'campaign.end_date_time',
  'campaign.missing_eu_political_advertising_declaration',
  'campaign_budget.resource_name',
  'campaign_budget.amount_micros',
  'campaign_budget.total_amount_micros',
  'campaign_budget.period',
  'campaign_budget.explicitly_shared',
].join(', ')

const schedule = [
  'campaign.id',
  'campaign_criterion.resource_name',
  'campaign_criterion.bid_modifier',
  'campaign_criterion.ad_schedule.day_of_week',
  'campaign_criterion.ad_schedule.start_hour',
  'campaign_criterion.ad_schedule.start_minute',
  'campaign_criterion.ad_schedule.end_hour',
  'campaign_criterion.ad_schedule.end_minute',
].join(', ')

const there = "campaign.status != 'REMOVED'"

const digits = /^\d{1,19}$/

/** Ids of the network are digits: others are of no campaign. */
const among = (ids: readonly string[] | null) =>
  ids === null ? '' : ` AND campaign.id IN (${ids.filter((id) => digits.test(id)).join(', ')})`

export const areIds = (ids: readonly string[]): boolean => ids.some((id) => digits.test(id))

type Ids = readonly string[] | null

export const queries = {
  customer: `SELECT ${customer} FROM customer`,
  declared: 'SELECT customer.contains_eu_political_advertising FROM customer',
  undeclared: `SELECT campaign.id FROM campaign WHERE campaign.missing_eu_political_advertising_declaration = true AND ${there}`,
  unit: (code: string) =>
    `SELECT currency_constant.code, currency_constant.billable_unit_micros FROM currency_constant WHERE currency_constant.code = '${code}'`,
  /** The account comes with each of its campaigns. */
  campaigns: (ids: Ids) =>
    `SELECT ${customer}, ${campaign} FROM campaign WHERE ${there}${among(ids)}`,
  schedules: (ids: Ids) =>
    `SELECT ${schedule} FROM campaign_criterion WHERE campaign_criterion.type = 'AD_SCHEDULE' AND ${there}${among(ids)}`,
  labels: (ids: Ids) =>
    `SELECT campaign.id, label.name FROM campaign_label WHERE label.name LIKE 'fd:%' AND ${there}${among(ids)}`,
  marked: (marker: string) =>
    `SELECT campaign.id, label.name FROM campaign_label WHERE label.name = '${marker}' AND ${there}`,
  label: (marker: string) =>
    `SELECT label.resource_name FROM label WHERE label.name = '${marker}' AND label.status = 'ENABLED'`,
  conversionWindows:
    "SELECT conversion_action.click_through_lookback_window_days, conversion_action.view_through_lookback_window_days FROM conversion_action WHERE conversion_action.status != 'REMOVED'",
  results: (ids: readonly string[], { from, to }: Days) =>
    `SELECT campaign.id, segments.date, metrics.cost_micros, metrics.impressions, metrics.clicks, metrics.conversions, metrics.conversions_value FROM campaign WHERE segments.date BETWEEN '${from}' AND '${to}'${among(ids)}`,
} as const
