import { useNavigate } from '@tanstack/react-router'
import { useScreenState, useSetSearch } from '../../data/search.ts'
import { type Client, flightdeck } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { NewCampaign } from '../../ui/objects/new-campaign.tsx'
import { EditButton, MoreMenu } from '../../ui/objects/object-actions.tsx'
import { ClientForm } from './form.tsx'

type ClientProps = { client: Client }

export function Actions({ client }: ClientProps) {
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const mayArchive = useBlocked('patchClient')
  const mayAdd = useBlocked('createMember')
  const mayDelete = useBlocked('deleteClient')
  return (
    <>
      <NewCampaign search={{ client_id: client.id }} />
      <EditButton needs="updateClient" />
      <MoreMenu
        items={[
          {
            name: 'Campaigns of this client',
            run: () => void navigate({ to: '/campaigns', search: { client_id: client.id } }),
          },
          {
            name: 'Show only this client',
            run: () => setSearch({ client_id: client.id }),
          },
          {
            name: 'Add a member who sees only it…',
            blocked: mayAdd,
            run: () => void navigate({ to: '/members', search: { open: 'new', sees: client.id } }),
          },
          'line',
          {
            name: client.status === 'archived' ? 'Take out of the archive…' : 'Archive…',
            blocked: mayArchive,
            run: () => setSearch({ open: 'archive' }),
          },
          'line',
          {
            name: 'Delete…',
            danger: true,
            blocked: mayDelete,
            run: () => setSearch({ open: 'delete' }),
          },
        ]}
      />
    </>
  )
}

/** The dialog that the address says is open. */
export function Dialogs({ client }: ClientProps) {
  const [{ open }, setSearch] = useScreenState()
  const onClose = () => setSearch({ open: undefined })
  if (open === 'edit') return <ClientForm client={client} onClose={onClose} onDone={onClose} />
  if (open === 'archive') return <Archive client={client} onClose={onClose} />
  if (open === 'delete') return <Delete client={client} onClose={onClose} />
  return null
}

type EndingProps = ClientProps & { onClose: () => void }

function Archive({ client, onClose }: EndingProps) {
  const isArchived = client.status === 'archived'
  const verb = isArchived ? 'Take it out' : 'Archive client'
  return (
    <Confirm
      title={isArchived ? `Take ${client.name} out of the archive?` : `Archive ${client.name}?`}
      text={
        isArchived
          ? 'It is in lists again, and profiles can be given to it.'
          : 'It leaves the lists, and no other profile can be given to it. Its profiles stay, and their campaigns go on.'
      }
      verb={verb}
      run={(write) =>
        flightdeck.clients.patch(client, { status: isArchived ? 'active' : 'archived' }, write)
      }
      onClose={onClose}
      onDone={() => {
        say(`${client.name} is ${isArchived ? 'active' : 'archived'}`)
        onClose()
      }}
    />
  )
}

const Delete = ({ client, onClose }: EndingProps) => (
  <DeleteDialog
    name={client.name}
    kind="client"
    text="The client and its plan are deleted for good. One with profiles cannot be: archive it, or give its profiles to another client."
    run={(write) => flightdeck.clients.delete(client, write)}
    list="/clients"
    onClose={onClose}
  />
)
