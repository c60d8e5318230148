import { budgetRules } from './budget-rules.ts'
import { campaignRules } from './campaign-rules.ts'
import { isObject, type Json } from './json.ts'
import type { Next } from './mutate.ts'
import { type PathElement, refusal, refuse } from './refusal.ts'
import { type Account, type Kind, textOf } from './state.ts'

/** Rules that the definition of the API does not state. Each has its number and its source in rules.md. */

export type Judged = {
  kind: Kind
  before: Json | null
  after: Json
  path: PathElement[]
  mask?: readonly string[]
}

/** A refusal at a field of the resource. */
export type At = (fieldName: string) => { path: PathElement[] }

export type Ruling = Judged & { next: Next; at: At }

export function checkChange(next: Next, judged: Judged): void {
  const at: At = (fieldName) => ({ path: [...judged.path, { fieldName }] })
  rules[judged.kind]({ ...judged, next, at })
}

const rules: Readonly<Record<Kind, (ruling: Ruling) => void>> = {
  campaign: campaignRules,
  campaignBudget: budgetRules,
  campaignCriterion: scheduleRules,
  label: labelRules,
  campaignLabel: campaignLabelRules,
}

/** R01: the state of the account. */
export function checkAccount({ status, isDeclarationOverdue }: Account): void {
  if (status === 'CANCELED')
    refuse('authorizationError.CUSTOMER_NOT_ENABLED', 'The customer account is not enabled.')
  if (status === 'SUSPENDED')
    refuse(
      'authorizationError.ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT',
      'The customer account is suspended.',
    )
  // R02: without the declaration of all its campaigns an account is closed to writes.
  if (isDeclarationOverdue)
    refuse(
      'mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED',
      'Campaigns of this account lack the declaration on EU political advertising.',
    )
}

const minutes: readonly unknown[] = ['ZERO', 'FIFTEEN', 'THIRTY', 'FORTY_FIVE']
const mostIntervals = 6

/** R21–R23: ad schedules. */
function scheduleRules({ after, path, next, at }: Ruling): void {
  const campaign = next.held.campaign.get(textOf(after, 'campaign'))
  if (!campaign)
    throw refusal('mutateError.RESOURCE_NOT_FOUND', 'There is no such campaign.', at('campaign'))
  const { adSchedule } = after
  if (!isObject(adSchedule))
    throw refusal('criterionError.CONCRETE_TYPE_REQUIRED', 'Only ad schedules are in this fake.', {
      path,
    })
  const [from, to] = [timeOf(adSchedule, 'start'), timeOf(adSchedule, 'end')]
  const isDay = typeof adSchedule.dayOfWeek === 'string' && adSchedule.dayOfWeek.endsWith('DAY')
  if (from === null || to === null || !isDay)
    throw refusal('fieldError.REQUIRED', 'Day, hours and minutes are required.', at('ad_schedule'))
  if (from >= to || to > 24 * 60)
    refuse(
      'criterionError.AD_SCHEDULE_INVALID_TIME_INTERVAL',
      'It ends before it starts.',
      at('ad_schedule'),
    )
  const others = [...next.held.campaignCriterion.values()]
    .filter((each) => each.campaign === after.campaign)
    .map((each) => (isObject(each.adSchedule) ? each.adSchedule : {}))
    .filter(({ dayOfWeek }) => dayOfWeek === adSchedule.dayOfWeek)
  if (others.length >= mostIntervals)
    refuse(
      'criterionError.AD_SCHEDULE_EXCEEDED_INTERVALS_PER_DAY_LIMIT',
      'A day has six at most.',
      at('ad_schedule'),
    )
  if (others.some((each) => from < (timeOf(each, 'end') ?? 0) && to > (timeOf(each, 'start') ?? 0)))
    refuse(
      'criterionError.AD_SCHEDULE_TIME_INTERVALS_OVERLAP',
      'It overlaps another.',
      at('ad_schedule'),
    )
}

function timeOf(schedule: Json, edge: 'start' | 'end'): number | null {
  const hour = schedule[`${edge}Hour`]
  const minute = minutes.indexOf(schedule[`${edge}Minute`])
  if (typeof hour !== 'number' || hour < 0 || hour > 24 || minute < 0) return null
  return hour * 60 + minute * 15
}

const longestLabel = 80

/** R24: labels have names of their own. */
function labelRules({ after, next, at }: Ruling): void {
  const name = textOf(after, 'name')
  if (name === '' || name.length > longestLabel)
    refuse('labelError.INVALID_LABEL_NAME', 'The name of the label is not valid.', at('name'))
  const isTaken = [...next.held.label.values()].some((each) => each.name === name)
  if (isTaken) refuse('labelError.DUPLICATE_NAME', 'There is a label of this name.', at('name'))
}

const mostLabels = 50

/** R25: a label is on a campaign once, and fifty at most. */
function campaignLabelRules({ after, next, at }: Ruling): void {
  const { campaignLabel, campaign, label } = next.held
  if (!campaign.has(textOf(after, 'campaign')))
    refuse('mutateError.RESOURCE_NOT_FOUND', 'There is no such campaign.', at('campaign'))
  if (!label.has(textOf(after, 'label')))
    refuse('mutateError.RESOURCE_NOT_FOUND', 'There is no such label.', at('label'))
  const own = [...campaignLabel.values()].filter((each) => each.campaign === after.campaign)
  if (own.some((each) => each.label === after.label))
    refuse('campaignError.CAMPAIGN_LABEL_ALREADY_EXISTS', 'It has the label.', at('label'))
  if (own.length >= mostLabels)
    refuse('labelError.EXCEEDED_LABEL_LIMIT_PER_TYPE', 'It has fifty labels.', at('label'))
}
