import { one, useScreenState } from '../../../data/search.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { say } from '../../../ui/layers/toast.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { DeleteDialog } from '../../../ui/objects/delete-dialog.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { actionWords, isAction } from './action-words.ts'
import { SaveAsTemplate } from './save-template.tsx'

const EditCampaign = lazyDialog(() => import('../form/edit.tsx'))

/** The dialog that the address says is open. */
export function CampaignDialogs({ campaign }: { campaign: Campaign }) {
  const [search, setSearch] = useScreenState()
  const close = () => setSearch({ open: undefined })
  const open = one(search.open)
  if (open === 'delete') {
    return (
      <DeleteDialog
        name={campaign.name}
        kind="campaign"
        text="The campaign is deleted for good. Archive it instead to keep it at hand."
        run={(write) => flightdeck.campaigns.delete(campaign, write)}
        list="/campaigns"
        onClose={close}
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
