import { checkFlight } from './budget-rules.ts'
import { isDateTime, today, wallClock } from './clock.ts'
import { isObject } from './json.ts'
import { refusal, refuse } from './refusal.ts'
import type { Ruling } from './rules.ts'
import { textOf } from './state.ts'

/** Rules of campaigns. The numbers are those of rules.md. */

export function campaignRules(ruling: Ruling): void {
  if (ruling.before === null) checkNew(ruling)
  checkName(ruling)
  checkStatus(ruling)
  checkDates(ruling)
  checkBudget(ruling)
}

const biddings = [
  ...['biddingStrategy', 'commission', 'manualCpa', 'manualCpc', 'manualCpm', 'manualCpv'],
  ...['maximizeConversions', 'maximizeConversionValue', 'targetCpa', 'targetImpressionShare'],
  ...['targetRoas', 'targetSpend', 'percentCpc', 'targetCpm'],
]

/** R04–R06: what a new campaign needs. */
function checkNew({ after, at, path }: Ruling): void {
  const required = (name: string, field: string) => {
    if (textOf(after, name) === '')
      refuse('fieldError.REQUIRED', 'The required field was not present.', at(field))
  }
  required('name', 'name')
  required('advertisingChannelType', 'advertising_channel_type')
  required('campaignBudget', 'campaign_budget')
  if (!biddings.some((name) => after[name] !== undefined))
    refuse(
      'fieldError.REQUIRED',
      'A bidding strategy is required.',
      at('campaign_bidding_strategy'),
    )
  const declared = textOf(after, 'containsEuPoliticalAdvertising')
  if (!declared.includes('CONTAIN'))
    refuse(
      'fieldError.REQUIRED',
      'The required field was not present.',
      at('contains_eu_political_advertising'),
    )
  const networks = isObject(after.networkSettings) ? Object.values(after.networkSettings) : [true]
  if (!networks.includes(true))
    refuse('campaignError.CAMPAIGN_MUST_TARGET_AT_LEAST_ONE_NETWORK', 'It targets no network.', {
      path,
    })
}

const longestName = 255
const refusedInNames = /[\0\n\r]/

/** R07: names. R08: no two campaigns that are not removed have the same. */
function checkName({ after, before, next, at }: Ruling): void {
  const name = textOf(after, 'name')
  if (name === before?.name) return
  if (name === '') refuse('fieldError.REQUIRED', 'The name is required.', at('name'))
  if (refusedInNames.test(name) || Buffer.byteLength(name) > longestName)
    refuse('campaignError.INVALID_CAMPAIGN_NAME', 'The campaign name is not valid.', at('name'))
  const isTaken = [...next.held.campaign.values()].some(
    (each) =>
      each.name === name && each.status !== 'REMOVED' && each.resourceName !== before?.resourceName,
  )
  if (isTaken)
    refuse('campaignError.DUPLICATE_CAMPAIGN_NAME', 'There is a campaign of this name.', at('name'))
}

/** R10: removed is a state that only `remove` makes. */
function checkStatus({ after, at }: Ruling): void {
  const status = textOf(after, 'status') || 'ENABLED'
  if (status !== 'ENABLED' && status !== 'PAUSED')
    refuse(
      'campaignError.INVALID_STATUS_CHANGE',
      `A campaign cannot be made ${status}.`,
      at('status'),
    )
}

const toTheSecond = ['VIDEO', 'DEMAND_GEN']
const lastDay = '2037-12-30'

function checkDates(ruling: Ruling): void {
  const { after, before, next, at } = ruling
  const { timeZone } = next.account
  const [start, end] = [textOf(after, 'startDateTime'), textOf(after, 'endDateTime')]
  const [wasStart, wasEnd] = [
    textOf(before ?? {}, 'startDateTime'),
    textOf(before ?? {}, 'endDateTime'),
  ]
  if (start !== '' && start !== wasStart) checkTime(ruling, start, 'start_date_time')
  if (end !== '' && end !== wasEnd) checkTime(ruling, end, 'end_date_time')
  const day = today(next.now, timeZone)
  if (before && start !== wasStart && wasStart <= wallClock(next.now, timeZone))
    refuse(
      'campaignError.CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED',
      'It has started.',
      at('start_date_time'),
    )
  if (start !== '' && start !== wasStart && start.slice(0, 10) < day)
    refuse('campaignError.CANNOT_SET_DATE_TO_PAST', 'The start is past.', at('start_date_time'))
  if (end !== '' && end !== wasEnd && end.slice(0, 10) < day)
    refuse('campaignError.CANNOT_SET_DATE_TO_PAST', 'The end is past.', at('end_date_time'))
  if (end !== '' && end < (start || `${day} 00:00:00`))
    refuse(
      'dateRangeError.START_DATE_AFTER_END_DATE',
      'It ends before it starts.',
      at('end_date_time'),
    )
}

/** R12: the form. R13: whole days but for some types. R14: the latest day. */
function checkTime({ after, at }: Ruling, text: string, field: string): void {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text))
    refuse(
      'dateError.INVALID_STRING_DATE_TIME_SECONDS',
      'It is not yyyy-MM-dd HH:mm:ss.',
      at(field),
    )
  if (!isDateTime(text))
    refuse('dateError.INVALID_FIELD_VALUES_IN_DATE_TIME', 'There is no such time.', at(field))
  if (text.slice(0, 10) > lastDay)
    refuse('dateRangeError.AFTER_MAXIMUM_ALLOWABLE_DATE', `The last day is ${lastDay}.`, at(field))
  if (toTheSecond.includes(textOf(after, 'advertisingChannelType'))) return
  const isStart = field === 'start_date_time'
  if (!text.endsWith(isStart ? '00:00:00' : '23:59:59'))
    refuse(
      isStart
        ? 'dateError.DATE_RANGE_ERROR_START_TIME_MUST_BE_THE_START_OF_A_DAY'
        : 'dateError.DATE_RANGE_ERROR_END_TIME_MUST_BE_THE_END_OF_A_DAY',
      'Campaigns of this type have whole days.',
      at(field),
    )
}

function checkBudget({ after, before, next, at }: Ruling): void {
  const name = textOf(after, 'campaignBudget')
  const budget = next.held.campaignBudget.get(name)
  if (!budget)
    throw refusal(
      'mutateError.RESOURCE_NOT_FOUND',
      'There is no such budget.',
      at('campaign_budget'),
    )
  const others = [...next.held.campaign.values()].filter(
    (each) =>
      each.campaignBudget === name &&
      each.status !== 'REMOVED' &&
      each.resourceName !== before?.resourceName,
  )
  // R19: a budget of its own is of one campaign.
  if (budget.explicitlyShared === false && others.length > 0)
    refuse(
      'campaignBudgetError.CANNOT_USE_IMPLICITLY_SHARED_CAMPAIGN_BUDGET_WITH_MULTIPLE_CAMPAIGNS',
      'The budget is of another campaign.',
      at('campaign_budget'),
    )
  const was = next.held.campaignBudget.get(textOf(before ?? {}, 'campaignBudget'))
  // R20: the period of a campaign’s budget stays.
  if (was && was.period !== budget.period)
    refuse(
      'campaignError.CANNOT_CHANGE_BUDGET_PERIOD',
      'The period is another.',
      at('campaign_budget'),
    )
  checkFlight({ campaign: after, budget, next, at })
}
