import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSetSearch } from '../../../data/search.ts'
import type { Campaign } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/layers/menu.tsx'
import { EditButton, MoreMenu } from '../../../ui/objects/object-actions.tsx'
import { useProposal } from '../../change-sets/tray/instead.tsx'
import { barring, blockedText } from '../reasons.ts'
import { type Action, actionWords, asksFirst } from './action-words.ts'
import { performAtOnce, proposalOf } from './perform.ts'

/** Actions that lead on: the first that is possible is the main button of the screen. */
const leading: readonly Action[] = ['launch', 'submit', 'approve', 'resume', 'unarchive']

/** Every action of the present status; one that is not possible says why. */
export function ActionButtons({ campaign }: { campaign: Campaign }) {
  const { available_actions: actions } = campaign
  const main = leading.find((each) =>
    actions.some(({ action, blocked_by }) => action === each && barring(blocked_by).length === 0),
  )
  return (
    <>
      {actions.map(({ action, blocked_by }) => (
        <ActionButton
          key={action}
          campaign={campaign}
          action={action}
          isMain={action === main}
          blocked={blockedText(barring(blocked_by))}
        />
      ))}
      <EditButton needs="updateCampaign" />
      <More campaign={campaign} />
    </>
  )
}

type ActionButtonProps = {
  campaign: Campaign
  action: Action
  isMain: boolean
  blocked: string | null
}

function ActionButton({ campaign, action, isMain, blocked }: ActionButtonProps) {
  const setSearch = useSetSearch()
  const [isBusy, setBusy] = useState(false)
  const propose = useProposal()
  const press = async () => {
    if (asksFirst(action) || action === 'reject') return setSearch({ open: action })
    setBusy(true)
    await performAtOnce(action, campaign, {
      instead: (action, campaign) => ({
        name: 'Propose',
        run: () => void propose(proposalOf(action, campaign)),
      }),
    })
    setBusy(false)
  }
  return (
    <Button look={isMain ? 'primary' : 'plain'} blocked={blocked} busy={isBusy} onClick={press}>
      {actionWords[action].verb}
      {asksFirst(action) && '…'}
    </Button>
  )
}

function More({ campaign }: { campaign: Campaign }) {
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const mayDelete = useBlocked('deleteCampaign')
  const open = (what: string) => setSearch({ open: what })
  const withReason = campaign.available_actions.flatMap(({ action, blocked_by }): MenuItem[] => {
    if (asksFirst(action)) return []
    const { verb } = actionWords[action]
    const blocked = blockedText(barring(blocked_by))
    return [{ name: `${verb} with a reason…`, blocked, run: () => open(action) }]
  })
  const items: MenuItem[] = [
    ...withReason,
    ...(withReason.length > 0 ? (['line'] as const) : []),
    {
      name: 'Duplicate…',
      blocked: useBlocked('duplicateCampaign'),
      run: () => void navigate({ to: '/campaigns/new', search: { copy: campaign.id } }),
    },
    {
      name: 'Save as template…',
      blocked: useBlocked('saveCampaignAsTemplate'),
      run: () => open('template'),
    },
    'line',
    { name: 'Delete…', danger: true, blocked: mayDelete, run: () => open('delete') },
  ]
  return <MoreMenu items={items} />
}
