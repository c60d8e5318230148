import type { Body } from '@flightdeckhq/sdk'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { bodyOf } from '../../../ui/forms/body.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { ProposeInstead } from '../../change-sets/tray/instead.tsx'
import { storedCampaign, useFixed, useNewest } from './editing.ts'
import { CampaignFields } from './fields.tsx'
import { Trial } from './trial.tsx'
import { useCampaignForm } from './use-campaign-form.ts'
import { amountsIn, fieldNames, valuesOf } from './values.ts'

type EditProps = { campaign: Campaign; onClose: () => void }

export default function EditCampaign({ campaign, onClose }: EditProps) {
  const form = useCampaignForm({
    draft: `campaign ${campaign.id}`,
    initial: valuesOf(campaign),
    version: campaign.version,
  })
  useNewest(form, campaign)
  const { id } = campaign
  return (
    <FormDialog
      title={`Edit ${campaign.name}`}
      submitLabel="Save"
      wide
      form={form}
      labels={fieldNames}
      onClose={onClose}
      onDone={onClose}
      submit={(changes, write) =>
        flightdeck.campaigns.update(id, bodyOf(changes, amountsIn(form.values)), write)
      }
      stored={() => storedCampaign(id)}
      instead={({ error, changes, reason }) => (
        <ProposeInstead
          error={error}
          instead={() => {
            const body: Body<'updateCampaign'> = bodyOf(changes, amountsIn(form.values))
            const version = form.version ?? campaign.version
            const operations = [{ op: 'update' as const, id, version, body }]
            return { title: `Edit ${campaign.name}`, description: reason, operations }
          }}
          onDone={() => {
            form.reset()
            onClose()
          }}
        />
      )}
    >
      <CampaignFields form={form} fixed={useFixed(campaign)} />
      <Trial
        of={id}
        changes={form.changes}
        isReady={form.isChanged}
        run={(changes) =>
          flightdeck.campaigns.update(id, bodyOf(changes, amountsIn(form.values))).dryRun()
        }
      />
    </FormDialog>
  )
}
