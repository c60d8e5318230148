import { useBlocked } from '../../../../session.tsx'
import { Button } from '../../../../ui/button.tsx'
import { say } from '../../../../ui/layers/toast.tsx'
import { type TrayEdit, trayIsFull, useTray } from '../../../change-sets/tray.ts'
import { isStart } from '../../acting/action-words.ts'
import type { Outcome } from './run-bulk.ts'
import { isToPropose } from './use-bulk.ts'

type GatherProps = { outcomes: readonly Outcome[]; onDone: () => void }

/** Edits and starts may wait with others, to be published together. */
export function Gather({ outcomes, onDone }: GatherProps) {
  const tray = useTray()
  const mayNot = useBlocked('proposeChangeSet')
  const edits = outcomes.filter(isToPropose).flatMap(editsIn)
  if (edits.length === 0) return null
  const add = () => {
    if (tray.add(edits)) onDone()
    else say(trayIsFull)
  }
  return (
    <Button blocked={mayNot} onClick={add}>
      Publish later
    </Button>
  )
}

/** Edits for the tray. Actions that stop a campaign, or take it off the lists, do not wait. */
function editsIn({ operation, before }: Outcome): TrayEdit[] {
  const { id, name, version } = before
  const edit = { id, name, version, body: {}, action: null }
  if (operation?.op === 'update') return [{ ...edit, body: operation.body }]
  if (operation?.op !== 'action') return []
  const { action } = operation
  return isStart(action) ? [{ ...edit, action }] : []
}
