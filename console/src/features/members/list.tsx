import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { one, useScreenState } from '../../data/search.ts'
import type { Member, Schema } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret.tsx'
import { Cut } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { NewMemberForm } from './form.tsx'
import { memberFilters, memberList } from './queries.ts'
import { MemberStatus } from './status.tsx'

export default function Members() {
  const [search, setSearch] = useScreenState()
  const [added, setAdded] = useState<Schema<'NewMember'> | null>(null)
  const query = useInfiniteQuery(memberList(search))
  const blocked = useBlocked('createMember')
  const isFiltered = memberFilters.some((name) => search[name])
  return (
    <Page
      title="Members"
      about="The people of your organization, and what they may do."
      actions={
        <Button
          look="primary"
          icon={<IconPlus aria-hidden />}
          blocked={blocked}
          onClick={() => setSearch({ open: 'new' })}
        >
          Add a member
        </Button>
      }
    >
      <Filters
        search="Search by name or email"
        filters={[
          { name: 'role', label: 'Role', choices: choicesOf('Role') },
          {
            name: 'disabled',
            label: 'State',
            choices: [
              { value: 'false', name: 'Active' },
              { value: 'true', name: 'Disabled' },
            ],
          },
        ]}
      />
      <List
        caption="Members"
        query={query}
        columns={columns}
        sort={one(search.sort)}
        onSort={(sort) => setSearch({ sort })}
        empty={isFiltered ? <NoMatch kind="member" /> : <Empty title="No members" />}
      />
      <Adding added={added} setAdded={setAdded} />
    </Page>
  )
}

type AddingProps = {
  added: Schema<'NewMember'> | null
  setAdded: (member: Schema<'NewMember'> | null) => void
}

/** The form, and then the password that was made, for as long as this screen is open. */
function Adding({ added, setAdded }: AddingProps) {
  const [search, setSearch] = useScreenState()
  const navigate = useNavigate()
  const close = () => setSearch({ open: undefined })
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
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/members/$id" params={{ id }}>
        <Cut text={name} />
      </Link>
    ),
  },
  { id: 'email', header: 'Email', minor: true, cell: ({ email }) => email },
  { id: 'role', header: 'Role', cell: ({ role }) => nameOf(role) },
  { id: 'state', header: 'State', cell: ({ disabled }) => <MemberStatus disabled={disabled} /> },
  {
    id: 'login',
    header: 'Last login',
    minor: true,
    cell: ({ last_login_at }) => <Age time={last_login_at} isReal />,
  },
  {
    id: 'created',
    header: 'Added',
    sort: 'created_at',
    minor: true,
    cell: ({ created_at }) => <Age time={created_at} />,
  },
]
