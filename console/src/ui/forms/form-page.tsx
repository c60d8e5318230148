import type { ReactNode } from 'react'
import type { ScreenPath } from '../../address.ts'
import type { FormValues } from '../../data/drafts.ts'
import { Button } from '../button.tsx'
import fieldStyles from '../fields.module.css'
import styles from '../page.module.css'
import { Card, Page } from '../page.tsx'
import { Restored } from './form-dialog.tsx'
import { type SavingProps, useSaving } from './saving.tsx'

type FormPageProps<Of extends FormValues, Saved> = SavingProps<Of, Saved> & {
  title: string
  within: { to: ScreenPath; name: string }
  submitLabel: string
  /** The reason why it cannot be saved at all. */
  blocked?: string | null
  onClose: () => void
  children: ReactNode
}

/** A form that is a screen of its own: for what is long, and made rather than changed. */
export function FormPage<Of extends FormValues, Saved>(props: FormPageProps<Of, Saved>) {
  const { title, within, form, submitLabel, blocked, children, onClose } = props
  const saving = useSaving(props)
  return (
    <Page title={title} within={within} narrow>
      <form className={styles.form} noValidate onSubmit={saving.onSubmit}>
        <Card>
          <div className={fieldStyles.form}>
            <Restored form={form} />
            {children}
            {saving.reasonField}
          </div>
        </Card>
        {saving.notice}
        <footer className={styles.formFoot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" blocked={blocked ?? null} busy={saving.isBusy}>
            {submitLabel}
          </Button>
        </footer>
      </form>
    </Page>
  )
}
