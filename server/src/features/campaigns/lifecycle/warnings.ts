import type { WriteContext } from '../../../kernel/context.ts'
import type { Campaign } from '../schema.ts'

/** Says of a campaign that is only tried out what is accepted, and yet may not be meant. */
export function warned(ctx: WriteContext, campaign: Campaign): Campaign {
  ctx.dryRun?.warnings.push(...warningsOf(campaign, ctx.now))
  return campaign
}

function warningsOf({ status, start_at, available_actions }: Campaign, now: string) {
  if (status !== 'draft') return []
  const launch = available_actions.find(({ action }) => action === 'launch')
  const reasons = launch?.blocked_by ?? []
  const inThePast = {
    pointer: '/start_at',
    code: 'start_in_past',
    message: 'is in the past: once launched, the campaign runs at once',
  }
  const blocked = {
    pointer: null,
    code: 'launch_blocked',
    message: `could not be launched now: ${reasons.join(', ')}`,
  }
  return [
    ...(start_at !== null && start_at <= now ? [inThePast] : []),
    ...(reasons.length > 0 ? [blocked] : []),
  ]
}
