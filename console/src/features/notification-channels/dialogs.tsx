import { useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { EditChannel } from './form.tsx'
import type { Channel } from './queries.ts'

type ChannelDialogProps = { channel: Channel; onClose: () => void }

/** The dialog that the address says is open. */
export function Dialogs({ channel }: { channel: Channel }) {
  const [{ open }, setSearch] = useScreenState()
  const props = { channel, onClose: () => setSearch({ open: undefined }) }
  if (open === 'edit') return <EditChannel {...props} />
  if (open === 'disable') return <SwitchOff {...props} />
  if (open === 'delete') return <DeleteChannel {...props} />
  return null
}

const SwitchOff = ({ channel, onClose }: ChannelDialogProps) => (
  <Confirm
    title={`Switch off ${channel.name}?`}
    text="It is notified nothing more, and what waits for it goes."
    verb="Switch off"
    run={(write) => flightdeck.notificationChannels.update(channel, { status: 'disabled' }, write)}
    onClose={onClose}
    onDone={() => {
      say('The channel is switched off')
      onClose()
    }}
  />
)

const DeleteChannel = ({ channel, onClose }: ChannelDialogProps) => (
  <DeleteDialog
    name={channel.name}
    kind="channel"
    text="The channel is deleted for good, with its target and what waits for it."
    run={(write) => flightdeck.notificationChannels.delete(channel, write)}
    list="/organization/notification-channels"
    onClose={onClose}
  />
)
