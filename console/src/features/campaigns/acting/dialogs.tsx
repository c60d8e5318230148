import { useNavigate } from '@tanstack/react-router'
import { one, useScreenState } from '../../../data/search.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { Confirm } from '../../../ui/forms/confirm.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { actionWords, isAction } from './action-words.ts'
import { SaveAsTemplate } from './save-template.tsx'

const EditCampaign = lazyDialog(() => import('../form/edit.tsx'))

/** The dialog that the address says is open. */
export function CampaignDialogs({ campaign }: { campaign: Campaign }) {
  const [search, setSearch] = useScreenState()
  const navigate = useNavigate()
  const close = () => setSearch({ open: undefined })
  const open = one(search.open)
  if (open === 'delete') {
    return (
      <Confirm
        title={`Delete ${campaign.name}?`}
        text="The campaign is deleted for good. Archive it instead to keep it at hand."
        verb="Delete campaign"
        danger
        run={(write) => flightdeck.campaigns.delete(campaign, write)}
        onClose={close}
        onDone={() => {
          say(`${campaign.name} is deleted`)
          void navigate({ to: '/campaigns' })
        }}
      />
    )
  }
  if (open === 'edit') return <EditCampaign campaign={campaign} onClose={close} />
  if (open === 'template') return <SaveAsTemplate campaign={campaign} onClose={close} />
  if (isAction(open)) {
    return (
      <ActionDialog
        campaign={campaign}
        action={open}
        onClose={close}
        onDone={() => {
          say(`${campaign.name} ${actionWords[open].done}`)
          close()
        }}
      />
    )
  }
  return null
}
