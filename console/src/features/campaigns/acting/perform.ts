import { isProblem, type WriteOptions } from '@flightdeckhq/sdk'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { say, sayTrouble } from '../../../ui/layers/toast.tsx'
import { troubleOf } from '../../../ui/problem.ts'
import type { Instead } from '../../change-sets/tray/instead.tsx'
import { barring } from '../reasons.ts'
import { reasonNote } from '../status-change/explain.ts'
import { type Action, type ActionAtOnce, actionWords } from './action-words.ts'

/** Takes an action on the version that is shown. */
export const perform = (action: Action, campaign: Campaign, write: WriteOptions = {}) =>
  action === 'reject'
    ? flightdeck.campaigns.reject(campaign, { reason: write.reason ?? '' }, write)
    : flightdeck.campaigns[action](campaign, write)

type Target = Pick<Campaign, 'id' | 'name' | 'version'>

/** The action as a change set, on the version that is shown. */
export const proposalOf = (
  action: Action,
  { id, name, version }: Target,
  reason: string | null = null,
): Instead => ({
  title: `${actionWords[action].verb} ${name}`,
  description: reason,
  operations: [{ op: 'action', id, version, action }],
})

type AtOnce = {
  isUndo?: boolean
  onChanged?: (campaign: Campaign) => void
  /** The way on where it needs a change set. */
  instead?: (action: Action, campaign: Target) => { name: string; run: () => void }
}

/** Without asking first; the message offers the way back. */
export async function performAtOnce(
  action: ActionAtOnce,
  campaign: Target,
  { isUndo = false, onChanged, instead }: AtOnce = {},
): Promise<void> {
  try {
    const changed = await performOnNewest(action, campaign)
    onChanged?.(changed)
    const { done, undo } = actionWords[action]
    const mayUndo = changed.available_actions.some(
      ({ action, blocked_by }) => action === undo && barring(blocked_by).length === 0,
    )
    const run = () => undo && performAtOnce(undo, changed, { isUndo: true, onChanged, instead })
    const offersUndo = mayUndo && !isUndo
    say(`${campaign.name} ${done}`, {
      ...(offersUndo && { action: { name: 'Undo', run } }),
      ...(!isUndo && { note: reasonNote(changed, onChanged) }),
    })
  } catch (error) {
    if (!instead || !isProblem(error, 'change_set_required')) return sayTrouble(error)
    const { title, detail } = troubleOf(error)
    say(title, { tone: 'bad', detail, action: instead(action, campaign) })
  }
}

/** Whatever was edited in the meantime, a campaign is to be paused all the same; but not resumed. */
async function performOnNewest(action: ActionAtOnce, campaign: Target) {
  try {
    return await flightdeck.campaigns[action](campaign)
  } catch (error) {
    const mayGoOn = isProblem(error, 'version_mismatch') && actionWords[action].undo !== undefined
    if (!mayGoOn) throw error
    return flightdeck.campaigns[action](await flightdeck.campaigns.get(campaign.id))
  }
}
