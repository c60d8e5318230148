import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { useForm } from '../../../ui/fields/form.ts'
import { ScheduleField } from '../../../ui/fields/schedule-field.tsx'
import fieldStyles from '../../../ui/fields.module.css'
import { bodyOf } from '../../../ui/forms/body.ts'
import { Restored } from '../../../ui/forms/form-dialog.tsx'
import { useSaving } from '../../../ui/forms/saving.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { Card, Section } from '../../../ui/page.tsx'
import { storedCampaign, useFixed, useNewest } from '../form/editing.ts'
import { Trial } from '../form/trial.tsx'
import { fieldNames, valuesOf } from '../form/values.ts'
import { OpenWindows } from './open-windows.tsx'
import styles from './overview.module.css'

/** The hours of the week, and the windows that come of them. */
export default function Schedule({ campaign }: { campaign: Campaign }) {
  return (
    <div className={styles.column}>
      <Section title="Week">
        <Week campaign={campaign} />
      </Section>
      <OpenWindows campaign={campaign} />
    </div>
  )
}

function Week({ campaign }: { campaign: Campaign }) {
  const { id, version } = campaign
  const form = useForm({ draft: `campaign schedule ${id}`, initial: valuesOf(campaign), version })
  useNewest(form, campaign)
  const fixed = useFixed(campaign)('schedule')
  const saving = useSaving({
    form,
    labels: fieldNames,
    submit: (changes, write) => flightdeck.campaigns.patch(id, bodyOf(changes), write),
    stored: () => storedCampaign(id),
    onDone: (saved) => {
      form.rebase(valuesOf(saved), saved.version)
      say('The week schedule is saved')
    },
  })
  return (
    <Card>
      <form className={fieldStyles.form} noValidate onSubmit={saving.onSubmit}>
        <Restored form={form} />
        <ScheduleField
          label="Hours to deliver in"
          hint={`On the clock of ${campaign.time_zone}. ${fixed ?? ''}`}
          disabled={fixed !== null}
          {...form.field('schedule')}
        />
        <Trial
          of={`schedule ${id}`}
          changes={form.changes}
          isReady={form.isChanged}
          run={(changes) => flightdeck.campaigns.patch(id, bodyOf(changes)).dryRun()}
        />
        {saving.notice}
        {form.isChanged && (
          <>
            {saving.reasonField}
            <div className={styles.save}>
              <Button onClick={form.reset}>Discard</Button>
              <Button type="submit" look="primary" busy={saving.isBusy}>
                Save schedule
              </Button>
            </div>
          </>
        )}
      </form>
    </Card>
  )
}
