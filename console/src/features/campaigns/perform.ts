import { isProblem, type WriteOptions } from '@flightdeckhq/sdk'
import { type Campaign, flightdeck } from '../../flightdeck.ts'
import { say, sayTrouble } from '../../ui/toast.tsx'
import { type Action, type ActionAtOnce, actionWords } from './action-words.ts'

/** Takes an action on the version that is shown. */
export const perform = (action: Action, campaign: Campaign, write: WriteOptions = {}) =>
  action === 'reject'
    ? flightdeck.campaigns.reject(campaign, { reason: write.reason ?? '' }, write)
    : flightdeck.campaigns[action](campaign, write)

type Target = Pick<Campaign, 'id' | 'name' | 'version'>

type AtOnce = {
  isUndo?: boolean
  onChanged?: (campaign: Campaign) => void
}

/** Without asking first; the message offers the way back. */
export async function performAtOnce(
  action: ActionAtOnce,
  campaign: Target,
  { isUndo = false, onChanged }: AtOnce = {},
): Promise<void> {
  try {
    const changed = await performOnNewest(action, campaign)
    onChanged?.(changed)
    const { done, undo } = actionWords[action]
    const mayUndo = changed.available_actions.some(
      ({ action, allowed }) => action === undo && allowed,
    )
    const run = () => undo && performAtOnce(undo, changed, { isUndo: true, onChanged })
    const offersUndo = mayUndo && !isUndo
    say(`${campaign.name} ${done}`, offersUndo ? { action: { name: 'Undo', run } } : {})
  } catch (error) {
    sayTrouble(error)
  }
}

/** Whatever was edited meanwhile, a campaign is to be paused all the same; but not resumed. */
async function performOnNewest(action: ActionAtOnce, campaign: Target) {
  try {
    return await flightdeck.campaigns[action](campaign)
  } catch (error) {
    const mayGoOn = isProblem(error, 'version_mismatch') && actionWords[action].undo !== undefined
    if (!mayGoOn) throw error
    return flightdeck.campaigns[action](await flightdeck.campaigns.get(campaign.id))
  }
}
