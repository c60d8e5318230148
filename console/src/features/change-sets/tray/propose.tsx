import type { WriteOptions } from '@flightdeckhq/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ownZone } from '../../../data/values/time.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldRow, LongTextField, TextField, TimeField } from '../../../ui/fields/fields.tsx'
import { useForm } from '../../../ui/fields/form.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { say, sayTrouble } from '../../../ui/layers/toast.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Edits } from '../page/edits.tsx'
import { Spend } from '../page/spend.tsx'
import type { ChangeSet } from '../queries.ts'
import { operationsOf, type Tray, type TrayEdit } from '../tray.ts'
import { failingOf, noneFailing, stillFailing, useTrial, withoutFaultsOfEdits } from '../trial.ts'

type Values = {
  title: string
  description: string | null
  apply_at: string | null
  revert_at: string | null
}

/** From the tray to a change set: published at once, or saved for others to review. */
export function ProposeDialog({ tray, onClose }: { tray: Tray; onClose: () => void }) {
  const navigate = useNavigate()
  const { edits } = tray
  const initial: Values = {
    title: titleOf(edits),
    description: null,
    apply_at: null,
    revert_at: null,
  }
  const form = useForm({ draft: 'propose', initial })
  const { trial, failing } = useTrial(edits)
  const [refused, setRefused] = useState(noneFailing)
  const send = (values: Partial<Values>, write: WriteOptions) =>
    flightdeck.changeSets.propose(
      {
        ...initial,
        ...values,
        source: { kind: 'console' },
        mode: 'atomic',
        operations: operationsOf(edits),
      },
      write,
    )
  const propose = async (values: Partial<Values>, write: WriteOptions) => {
    setRefused(noneFailing)
    try {
      return await send(values, write)
    } catch (error) {
      setRefused(failingOf(edits, error))
      throw withoutFaultsOfEdits(error)
    }
  }
  const done = ({ id }: { id: string }) => {
    tray.clear()
    onClose()
    void navigate({ to: '/change-sets/$id', params: { id } })
  }
  const mayPublish = trial?.applicable === true && !trial.approval.required
  const [isPublishing, setPublishing] = useState(false)
  const publish = async () => {
    setPublishing(true)
    try {
      const changeSet = await propose(form.values, {})
      tray.clear()
      onClose()
      await apply(changeSet, edits.length, navigate)
    } catch (error) {
      sayTrouble(error)
      setPublishing(false)
    }
  }
  const isMended = refused.faults.size > 0 && stillFailing(edits, refused).faults.size === 0
  const isTimed = form.values.apply_at !== null
  return (
    <FormDialog
      title="Review and publish"
      submitLabel={isTimed ? 'Schedule' : 'Save for review'}
      form={form}
      isNew
      isMended={isMended}
      asksReason={false}
      wide
      submit={(values, write) => propose(values, write)}
      onDone={done}
      onClose={onClose}
      actions={
        mayPublish &&
        !isTimed && (
          <Button look="primary" busy={isPublishing} onClick={publish}>
            Publish now
          </Button>
        )
      }
    >
      {trial?.approval.required && (
        <Notice tone="warn" title="This needs an approval.">
          <p>Save it for review and send its address to a person who may approve it.</p>
        </Notice>
      )}
      {trial && <Spend deltas={trial.spend_delta} />}
      <Edits tray={tray} failing={stillFailing(edits, failing, refused)} />
      <TextField label="Title" {...form.field('title')} />
      <LongTextField
        label="Reason"
        optional
        hint="Shown to those who review it."
        {...form.field('description')}
      />
      <FieldRow>
        <TimeField
          label="Apply at"
          optional
          zone={ownZone}
          hint={`Left out: when it is applied by hand. On the clock of ${ownZone}.`}
          {...form.field('apply_at')}
        />
        {isTimed && (
          <TimeField
            label="Set back at"
            optional
            zone={ownZone}
            hint="What others have changed since is left."
            {...form.field('revert_at')}
          />
        )}
      </FieldRow>
    </FormDialog>
  )
}

type Navigate = ReturnType<typeof useNavigate>

/** In the background; what cannot be applied any more is shown. */
async function apply(changeSet: ChangeSet, edits: number, navigate: Navigate): Promise<void> {
  const show = () => void navigate({ to: '/change-sets/$id', params: { id: changeSet.id } })
  try {
    await flightdeck.changeSets.apply(changeSet)
    const title = `${edits === 1 ? '1 edit' : `${edits} edits`} published`
    say(title, { action: { name: 'Show', run: show } })
  } catch (error) {
    sayTrouble(error)
    show()
  }
}

const titleOf = (edits: readonly TrayEdit[]): string =>
  edits.length === 1 ? `Edit ${edits[0]?.name ?? ''}`.slice(0, 255) : `${edits.length} edits`
