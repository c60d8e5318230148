import type { WriteContext } from '../../../kernel/context.ts'
import type { Campaign } from '../schema.ts'

/** Adds warnings to a dry run for values that are valid but may be unintended. */
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
    message: 'is in the past: the campaign will start as soon as it is launched',
  }
  const blocked = {
    pointer: null,
    code: 'launch_blocked',
    message: `cannot be launched now: ${reasons.join(', ')}`,
  }
  return [
    ...(start_at !== null && start_at <= now ? [inThePast] : []),
    ...(reasons.length > 0 ? [blocked] : []),
  ]
}
