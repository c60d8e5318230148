import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { nameOf } from '../../data/choices.ts'
import { useScreenState, useSetSearch } from '../../data/search.ts'
import { flightdeck, type Member } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { lazyDialog } from '../../ui/lazily.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { EditButton, MoreMenu } from '../../ui/objects/object-actions.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { scopeText } from '../../ui/values/scope.ts'
import { Copy } from '../../ui/values/text.tsx'
import { Age, Time } from '../../ui/values/time.tsx'
import { MemberForm } from './form.tsx'
import { memberQuery } from './queries.ts'
import { MemberStatus } from './status.tsx'

const ResetPassword = lazyDialog(() => import('./reset-password.tsx'))

export default function MemberScreen() {
  const { id } = useParams({ from: '/members/$id' })
  return (
    <ObjectScreen query={useQuery(memberQuery(id))}>
      {(member) => <MemberPage member={member} />}
    </ObjectScreen>
  )
}

function MemberPage({ member }: { member: Member }) {
  const setSearch = useSetSearch()
  const open = (what: string) => setSearch({ open: what })
  return (
    <Page
      title={member.name}
      beside={<MemberStatus disabled={member.disabled} />}
      within={{ to: '/members', name: 'Members' }}
      actions={
        <>
          <EditButton needs="updateMember" />
          <More member={member} open={open} />
        </>
      }
    >
      <Card>
        <Facts
          facts={[
            ['Email', member.email],
            ['Role', nameOf(member.role)],
            ['Sees', scopeText(member.scope)],
            ['Second factor', member.second_factor ? 'Yes' : 'No'],
            ['Kept up to date', member.from_directory ? 'From the directory' : 'By hand'],
            ['Last login', <Age key="login" time={member.last_login_at} isReal />],
            ['Added', <Time key="added" time={member.created_at} />],
            ['Changed', <Time key="changed" time={member.updated_at} />],
            ['Id', <Copy key="id" text={member.id} />],
          ]}
        />
      </Card>
      <Dialogs member={member} />
    </Page>
  )
}

function More({ member, open }: { member: Member; open: (what: string) => void }) {
  const navigate = useNavigate()
  const mayDisable = useBlocked('patchMember')
  const mayReset = useBlocked('resetMemberPassword')
  const mayRemove = useBlocked('removeMemberFactors')
  const mayDelete = useBlocked('deleteMember')
  const mayAudit = useBlocked('listAuditLogs')
  return (
    <MoreMenu
      items={[
        {
          name: 'What they did',
          blocked: mayAudit,
          run: () => void navigate({ to: '/audit-log', search: { actor_id: member.id } }),
        },
        {
          name: 'Reset the password…',
          blocked: mayReset ?? (member.disabled ? 'Enable this member first.' : null),
          run: () => open('password'),
        },
        ...(member.second_factor
          ? [
              {
                name: 'Remove the second factors…',
                blocked: mayRemove,
                run: () => open('factors'),
              },
            ]
          : []),
        member.disabled
          ? { name: 'Enable…', blocked: mayDisable, run: () => open('enable') }
          : { name: 'Disable…', blocked: mayDisable, run: () => open('disable') },
        'line',
        { name: 'Delete…', danger: true, blocked: mayDelete, run: () => open('delete') },
      ]}
    />
  )
}

function Dialogs({ member }: { member: Member }) {
  const [search, setSearch] = useScreenState()
  const close = () => setSearch({ open: undefined })
  const done = (text: string) => () => {
    say(text)
    close()
  }
  const { name } = member
  if (search.open === 'edit') return <MemberForm member={member} onClose={close} onDone={close} />
  if (search.open === 'disable' || search.open === 'enable') {
    const disabled = search.open === 'disable'
    return (
      <Confirm
        title={`${disabled ? 'Disable' : 'Enable'} ${name}?`}
        text={
          disabled
            ? 'All sessions end at once, and API keys made by this person are refused.'
            : 'This person can log in again.'
        }
        verb={disabled ? 'Disable member' : 'Enable member'}
        danger={disabled}
        run={(write) => flightdeck.members.patch(member, { disabled }, write)}
        onClose={close}
        onDone={done(`${name} is ${disabled ? 'disabled' : 'enabled'}`)}
      />
    )
  }
  if (search.open === 'factors')
    return <Unguard member={member} onClose={close} onDone={done(`${name} has no second factor`)} />
  if (search.open === 'password') {
    return (
      <Suspense fallback={null}>
        <ResetPassword member={member} onClose={close} />
      </Suspense>
    )
  }
  if (search.open !== 'delete') return null
  return (
    <DeleteDialog
      name={name}
      kind="member"
      text="All sessions end at once, and API keys made by this person are revoked. What this person created stays."
      run={(write) => flightdeck.members.delete(member, write)}
      list="/members"
      onClose={close}
    />
  )
}

type UnguardProps = { member: Member; onClose: () => void; onDone: () => void }

const Unguard = ({ member, onClose, onDone }: UnguardProps) => (
  <Confirm
    title={`Remove the second factors of ${member.name}?`}
    text="For someone who has lost them: the password alone lets this person in, until another factor is set up."
    verb="Remove them"
    danger
    run={(write) => flightdeck.members.removeFactors(member.id, write)}
    onClose={onClose}
    onDone={onDone}
  />
)
