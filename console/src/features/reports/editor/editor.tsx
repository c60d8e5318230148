import { useId, useState } from 'react'
import { useSetSearch } from '../../../data/search.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { useForm } from '../../../ui/fields/form.ts'
import fieldStyles from '../../../ui/fields.module.css'
import { Restored } from '../../../ui/forms/form-dialog.tsx'
import { useSaving } from '../../../ui/forms/saving.tsx'
import { storedIn } from '../../../ui/forms/stored.ts'
import { say } from '../../../ui/layers/toast.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import type { Report } from '../queries.ts'
import styles from './editor.module.css'
import { ReportFields } from './fields.tsx'
import { Preview } from './preview.tsx'
import { changesIn, type ReportValues, valuesOf } from './values.ts'

const labels: Partial<Record<keyof ReportValues, string>> = {
  client_id: 'Client',
  compare: 'Beside it',
}

/** Larger than what a browser keeps. */
const notKept = ['logo'] as const

/** A report beside its page as it will look. */
export default function Editor({ report }: { report: Report }) {
  const setSearch = useSetSearch()
  const blocked = useBlocked('updateReport')
  const formId = useId()
  const close = () => setSearch({ open: undefined })
  const { form, saving } = useEditing(report, close)
  const why = blocked ?? (form.isChanged ? null : 'Nothing has been changed.')
  return (
    <Page
      title={`Edit ${report.name}`}
      within={{ to: '/reports', name: 'Reports' }}
      actions={
        <>
          <Button onClick={close}>{form.isChanged ? 'Cancel' : 'Close'}</Button>
          <Button type="submit" form={formId} look="primary" blocked={why} busy={saving.isBusy}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <form id={formId} noValidate onSubmit={saving.onSubmit}>
          <Card>
            <div className={fieldStyles.form}>
              <Restored form={form} />
              {saving.notice}
              <ReportFields form={form} hasLogo={report.logo_type !== null} />
              {saving.reasonField}
            </div>
          </Card>
        </form>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard. */}
        <section aria-label="Its page" className={styles.page} tabIndex={0}>
          <Preview report={report} changes={form.changes} />
        </section>
      </div>
    </Page>
  )
}

function useEditing(report: Report, close: () => void) {
  const [initial] = useState(() => valuesOf(report))
  const form = useForm({
    draft: `report ${report.id}`,
    secrets: notKept,
    initial,
    version: report.version,
  })
  const saving = useSaving({
    form,
    labels,
    submit: (changes, write) => flightdeck.reports.update(report.id, changesIn(changes), write),
    stored: async () => storedIn(await flightdeck.reports.get(report.id), valuesOf),
    onDone: ({ name }) => {
      say(`${name} is saved`)
      close()
    },
  })
  return { form, saving }
}
