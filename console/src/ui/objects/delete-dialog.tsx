import type { WriteOptions } from '@flightdeckhq/sdk'
import { useNavigate } from '@tanstack/react-router'
import type { ScreenPath } from '../../address.ts'
import { Confirm } from '../forms/confirm.tsx'
import { say } from '../layers/toast.tsx'

type DeleteDialogProps = {
  name: string
  /** `template`. */
  kind: string
  /** The consequences of it. */
  text: string
  run: (write: WriteOptions) => PromiseLike<unknown>
  /** The list that the object was in. */
  list: ScreenPath
  onClose: () => void
}

/** Asks, deletes the object on this screen, and goes back to its list. */
export function DeleteDialog({ name, kind, text, run, list, onClose }: DeleteDialogProps) {
  const navigate = useNavigate()
  return (
    <Confirm
      title={`Delete ${name}?`}
      text={text}
      verb={`Delete ${kind}`}
      danger
      run={run}
      onClose={onClose}
      onDone={() => {
        say(`${name} is deleted`)
        void navigate({ to: list })
      }}
    />
  )
}
