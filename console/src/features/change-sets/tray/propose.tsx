import type { WriteOptions } from '@flightdeckhq/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ownZone } from '../../../data/values/time.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldRow, LongTextField, TextField } from '../../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../../ui/fields/form.ts'
import { TimeField } from '../../../ui/fields/time-field.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { say, sayTrouble } from '../../../ui/layers/toast.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Edits } from '../page/edits.tsx'
import { Spend } from '../page/spend.tsx'
import type { ChangeSet } from '../queries.ts'
import { operationsOf, type Tray, type TrayEdit } from '../tray.ts'
import { failingOf, noneFailing, stillFailing, useTrial, withoutFaultsOfEdits } from '../trial.ts'

type ProposalValues = {
  title: string
  description: string | null
  apply_at: string | null
  revert_at: string | null
}

type ProposeProps = { tray: Tray; onClose: () => void }

/** From the tray to a change set: published at once, or saved for others to review. */
export function ProposeDialog(props: ProposeProps) {
  const { tray, onClose } = props
  const form = useForm({ draft: 'propose', initial: valuesOf(tray.edits) })
  const { trial, failing } = useTrial(tray.edits)
  const { propose, refused, isMended } = useProposing(tray)
  const publishing = usePublishing(props, () => propose(form.values, {}))
  const done = useDone(props)
  const isTimed = form.values.apply_at !== null
  const mayPublish = trial?.applicable === true && !trial.approval.required && !isTimed
  return (
    <FormDialog
      title="Review and publish"
      submitLabel={isTimed ? 'Schedule' : 'Save for review'}
      form={form}
      isNew
      isMended={isMended}
      asksReason={false}
      wide
      submit={propose}
      onDone={done}
      onClose={onClose}
      actions={
        mayPublish && (
          <Button look="primary" busy={publishing.isBusy} onClick={publishing.publish}>
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
      <Edits tray={tray} failing={stillFailing(tray.edits, failing, refused)} />
      <Fields form={form} isTimed={isTimed} />
    </FormDialog>
  )
}

const Fields = ({ form, isTimed }: { form: Form<ProposalValues>; isTimed: boolean }) => (
  <>
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
  </>
)

/** Sends the edits; what is refused of them stands at the edits. */
function useProposing({ edits }: Tray) {
  const [refused, setRefused] = useState(noneFailing)
  const propose = async (values: Partial<ProposalValues>, write: WriteOptions) => {
    setRefused(noneFailing)
    try {
      return await send(edits, values, write)
    } catch (error) {
      setRefused(failingOf(edits, error))
      throw withoutFaultsOfEdits(error)
    }
  }
  const isMended = refused.faults.size > 0 && stillFailing(edits, refused).faults.size === 0
  return { propose, refused, isMended }
}

const send = (edits: readonly TrayEdit[], values: Partial<ProposalValues>, write: WriteOptions) =>
  flightdeck.changeSets.propose(
    {
      ...valuesOf(edits),
      ...values,
      source: { kind: 'console' },
      mode: 'atomic',
      operations: operationsOf(edits),
    },
    write,
  )

function usePublishing({ tray, onClose }: ProposeProps, propose: () => Promise<ChangeSet>) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const publish = async () => {
    setBusy(true)
    try {
      const changeSet = await propose()
      const count = tray.edits.length
      tray.clear()
      onClose()
      await apply(changeSet, count, navigate)
    } catch (error) {
      sayTrouble(error)
      setBusy(false)
    }
  }
  return { isBusy, publish }
}

function useDone({ tray, onClose }: ProposeProps) {
  const navigate = useNavigate()
  return ({ id }: ChangeSet) => {
    tray.clear()
    onClose()
    void navigate({ to: '/change-sets/$id', params: { id } })
  }
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

const valuesOf = (edits: readonly TrayEdit[]): ProposalValues => ({
  title: titleOf(edits),
  description: null,
  apply_at: null,
  revert_at: null,
})

const titleOf = (edits: readonly TrayEdit[]): string =>
  edits.length === 1 ? `Edit ${edits[0]?.name ?? ''}`.slice(0, 255) : `${edits.length} edits`
