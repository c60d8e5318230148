import { flightdeck, type Schema } from '../../flightdeck.ts'
import { useForm } from '../../ui/fields/form.ts'
import { TimeField } from '../../ui/fields/time-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'

type ClockFormProps = {
  now: string
  onDone: (sandbox: Schema<'Sandbox'>) => void
  onClose: () => void
}

/** Moves the clock to a time. */
export function ClockForm({ now, onDone, onClose }: ClockFormProps) {
  const form = useForm({ draft: null, initial: { now } })
  const { field, set } = form
  return (
    <FormDialog
      title="Move the clock"
      submitLabel="Move the clock"
      form={form}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) => flightdeck.sandbox.moveClock({ now, ...changes }, write)}
    >
      <TimeField
        label="Time"
        zone="UTC"
        hint="In UTC, later than the time in the sandbox. A clock never goes back."
        {...field('now')}
        onChange={(time) => set({ now: time ?? now })}
      />
    </FormDialog>
  )
}
