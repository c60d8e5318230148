import type { Campaign } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { type Start, trayIsFull, useTray } from '../../change-sets/tray.ts'

type StartLaterProps = {
  campaign: Campaign
  action: Start
  blocked: string | null
  onDone: () => void
}

/** Waits with other edits, to be published or reviewed together. */
export function StartLater({ campaign, action, blocked, onDone }: StartLaterProps) {
  const tray = useTray()
  const mayNot = useBlocked('proposeChangeSet')
  const { id, name, version } = campaign
  const add = () => {
    if (tray.add([{ id, name, version, body: {}, action }])) onDone()
    else say(trayIsFull)
  }
  return (
    <Button blocked={mayNot ?? blocked} onClick={add}>
      Publish later
    </Button>
  )
}
