import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { one, useScreenState } from '../../data/search.ts'
import type { Member, Schema } from '../../flightdeck.ts'
import { kinds } from '../../kinds.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { createdColumn, nameColumn } from '../../ui/lists/columns.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { SecretDialog } from '../../ui/secret.tsx'
import { Age } from '../../ui/values/time.tsx'
import { MemberSections } from '../invitations/list.tsx'
import { NewMemberForm } from './form.tsx'
import { memberList } from './queries.ts'
import { MemberStatus } from './status.tsx'

export default function Members() {
  const [search] = useScreenState()
  return (
    <ListScreen
      title="Members"
      about="The people of your organization, and what they may do."
      kind="member"
      create={kinds.members.create}
      tabs={<MemberSections />}
      actions={<Invite />}
      filters={{
        search: 'Search by name or email',
        filters: [
          { name: 'role', label: 'Role', choices: choicesOf('Role') },
          { name: 'disabled', label: 'State', choices: states },
        ],
      }}
      query={useInfiniteQuery(memberList(search))}
      columns={columns}
      empty={{ title: 'No members' }}
    >
      <Adding />
    </ListScreen>
  )
}

function Invite() {
  const navigate = useNavigate()
  return (
    <Button
      blocked={useBlocked('createInvitation')}
      onClick={() => void navigate(kinds.invitations.create.at)}
    >
      {kinds.invitations.create.name}
    </Button>
  )
}

const states = [
  { value: 'false', name: 'Active' },
  { value: 'true', name: 'Disabled' },
]

/** The form, and then the password that was made, for as long as this screen is open. */
function Adding() {
  const [search, setSearch] = useScreenState()
  const [added, setAdded] = useState<Schema<'NewMember'> | null>(null)
  const navigate = useNavigate()
  const close = () => setSearch({ open: undefined, sees: undefined })
  const leave = ({ id }: Member) => {
    setAdded(null)
    void navigate({ to: '/members/$id', params: { id } })
  }
  if (added?.temporary_password) {
    return (
      <SecretDialog
        title={`${added.name} is a member`}
        name="Password"
        secret={added.temporary_password}
        about={`Give it to ${added.name}, who can change it after logging in.`}
        lost="The operator of Flightdeck can set another one."
        onClose={() => leave(added)}
      />
    )
  }
  if (search.open !== 'new') return null
  return (
    <NewMemberForm
      client={one(search.sees)}
      onClose={close}
      onDone={(member) => {
        close()
        if (member.temporary_password) setAdded(member)
        else {
          say(`${member.name} is a member`)
          leave(member)
        }
      }}
    />
  )
}

const columns: readonly Column<Member>[] = [
  nameColumn('/members/$id'),
  { id: 'email', header: 'Email', minor: true, cell: ({ email }) => email },
  { id: 'role', header: 'Role', cell: ({ role }) => nameOf(role) },
  { id: 'state', header: 'State', cell: ({ disabled }) => <MemberStatus disabled={disabled} /> },
  {
    id: 'factor',
    header: 'Second factor',
    minor: true,
    cell: ({ second_factor }) => (second_factor ? 'Yes' : 'No'),
  },
  {
    id: 'directory',
    header: 'From directory',
    minor: true,
    cell: ({ from_directory }) => (from_directory ? 'Yes' : 'No'),
  },
  {
    id: 'login',
    header: 'Last login',
    minor: true,
    cell: ({ last_login_at }) => <Age time={last_login_at} isReal />,
  },
  createdColumn('Added'),
]
