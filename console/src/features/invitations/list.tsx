import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { useScreenState } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { kinds } from '../../kinds.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { SecretDialog } from '../../ui/secret.tsx'
import { SubNav } from '../../ui/subnav.tsx'
import { scopeText } from '../../ui/values/scope.ts'
import { Status } from '../../ui/values/status.tsx'
import { Cut } from '../../ui/values/text.tsx'
import { Age, Time } from '../../ui/values/time.tsx'
import { InvitationForm } from './form.tsx'
import { invitationList } from './queries.ts'

type Invitation = Schema<'Invitation'>
type Sent = Schema<'SentInvitation'>

/** Members, and those who may become some. */
export const MemberSections = () => (
  <SubNav
    label="Members and invitations"
    screens={[
      { to: '/members', name: 'Members' },
      { to: '/members/invitations', name: 'Invitations' },
    ]}
  />
)

export default function Invitations() {
  const [search, setSearch] = useScreenState()
  const [sent, setSent] = useState<Sent | null>(null)
  const onSent = (invitation: Sent) => {
    if (invitation.url) setSent(invitation)
    else say(`${invitation.email} has been sent a link`)
  }
  return (
    <ListScreen
      title="Invitations"
      about="People who have been asked to join, and have not yet."
      kind="invitation"
      create={kinds.invitations.create}
      tabs={<MemberSections />}
      filters={{ filters: [{ name: 'role', label: 'Role', choices: choicesOf('Role') }] }}
      query={useInfiniteQuery(invitationList(search))}
      columns={columnsFor(onSent)}
      empty={{
        title: 'No open invitations',
        text: 'An invited person chooses a name and a password, and is in.',
      }}
    >
      {sent && <LinkDialog sent={sent} onClose={() => setSent(null)} />}
      {search.open === 'new' && (
        <InvitationForm
          onClose={() => setSearch({ open: undefined })}
          onDone={(invitation) => {
            setSearch({ open: undefined })
            onSent(invitation)
          }}
        />
      )}
    </ListScreen>
  )
}

const LinkDialog = ({ sent, onClose }: { sent: Sent; onClose: () => void }) => (
  <SecretDialog
    title={`${sent.email} is invited`}
    name="Link"
    secret={sent.url}
    about={`This service sends no mail: give the link to ${sent.email}. It works once, for 7 days.`}
    lost="Send the invitation again to get another link."
    onClose={onClose}
  />
)

type ActionsProps = { invitation: Invitation; onSent: (sent: Sent) => void }

function Actions({ invitation, onSent }: ActionsProps) {
  const { email, id, version } = invitation
  const write = { ifMatch: version }
  const takeBack = () =>
    flightdeck.invitations
      .delete(id, write)
      .then(() => say(`The invitation of ${email} is taken back`), sayTrouble)
  return (
    <>
      <Button
        small
        aria-label={`Send again: the invitation of ${email}`}
        blocked={useBlocked('resendInvitation')}
        onClick={() => void flightdeck.invitations.resend(id, write).then(onSent, sayTrouble)}
      >
        Send again
      </Button>{' '}
      <Button
        small
        aria-label={`Take back: the invitation of ${email}`}
        blocked={useBlocked('deleteInvitation')}
        onClick={() => void takeBack()}
      >
        Take back
      </Button>
    </>
  )
}

const columnsFor = (onSent: (sent: Sent) => void): readonly Column<Invitation>[] => [
  { id: 'email', header: 'Email', grow: true, cell: ({ email }) => <Cut text={email} /> },
  { id: 'role', header: 'Role', minor: true, cell: ({ role }) => nameOf(role) },
  { id: 'sees', header: 'Sees', minor: true, cell: ({ scope }) => scopeText(scope) },
  {
    id: 'by',
    header: 'Invited by',
    minor: true,
    cell: ({ created_by_name }) => <Cut text={created_by_name ?? '–'} />,
  },
  {
    id: 'sent',
    header: 'Sent',
    minor: true,
    cell: ({ updated_at }) => <Age time={updated_at} isReal />,
  },
  {
    id: 'state',
    header: 'Open until',
    minor: true,
    cell: ({ status, expires_at }) =>
      status === 'open' ? <Time time={expires_at} /> : <Status tone="warn">Expired</Status>,
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (invitation) => <Actions invitation={invitation} onSent={onSent} />,
  },
]
