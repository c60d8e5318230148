import { type ReactNode, useId } from 'react'
import type { FormValues } from '../../data/drafts.ts'
import { Button } from '../button.tsx'
import type { Form } from '../fields/form.ts'
import fieldStyles from '../fields.module.css'
import { Dialog } from '../layers/dialog.tsx'
import { Notice } from '../notice.tsx'
import { type SavingProps, useSaving } from './saving.tsx'

type FormDialogProps<Of extends FormValues, Saved> = SavingProps<Of, Saved> & {
  title: string
  submitLabel: string
  onClose: () => void
  wide?: boolean
  /** Further ways to send it, beside the usual one. */
  actions?: ReactNode
  /** False where a field of the form is the reason. */
  asksReason?: boolean
  children: ReactNode
}

/** A form at the side of a list: faults land on their fields, and nothing typed is lost. */
export function FormDialog<Of extends FormValues, Saved>(props: FormDialogProps<Of, Saved>) {
  const { title, form, submitLabel, children, onClose, wide, isNew, actions } = props
  const { asksReason = true } = props
  const formId = useId()
  const saving = useSaving(props)
  const blocked = !isNew && !form.isChanged ? 'Nothing has been changed.' : null
  return (
    <Dialog
      kind="drawer"
      title={title}
      wide={wide === true}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            look={actions ? 'plain' : 'primary'}
            blocked={blocked}
            busy={saving.isBusy}
          >
            {submitLabel}
          </Button>
          {actions}
        </>
      }
    >
      <form id={formId} className={fieldStyles.form} noValidate onSubmit={saving.onSubmit}>
        <Restored form={form} />
        {saving.notice}
        {children}
        {asksReason && saving.reasonField}
      </form>
    </Dialog>
  )
}

/** Edits of an earlier visit are in the form. */
export const Restored = <Of extends FormValues>({ form }: { form: Form<Of> }) =>
  form.isRestored && (
    <Notice title="These edits were not saved last time.">
      <Button small onClick={form.reset}>
        Discard them
      </Button>
    </Notice>
  )
