import { IconKey, IconLogout } from '@tabler/icons-react'
import { nameOf } from '../../data/choices.ts'
import { useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { logOut, useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { Card, Facts, Page, Section } from '../../ui/page.tsx'
import { Copy } from '../../ui/values/text.tsx'
import { NotificationSettings } from '../notifications/settings.tsx'
import { Factors } from './factors.tsx'
import { PasswordForm } from './password-form.tsx'
import { PreferenceFields } from './preferences.tsx'
import { Sessions } from './sessions.tsx'

export default function Account() {
  const [search, setSearch] = useScreenState()
  const close = () => setSearch({ open: undefined })
  return (
    <Page
      title="Account"
      about="Who you are here, what you are notified, where you are logged in, and how the console looks."
      actions={
        <>
          <Button icon={<IconKey aria-hidden />} onClick={() => setSearch({ open: 'password' })}>
            Change password
          </Button>
          <Button icon={<IconLogout aria-hidden />} onClick={() => void logOut().catch(sayTrouble)}>
            Log out
          </Button>
        </>
      }
    >
      <Person />
      <Section title="Preferences of this browser">
        <PreferenceFields />
      </Section>
      <NotificationSettings />
      <Section title="Second factors">
        <Factors />
      </Section>
      <Section
        title="Sessions"
        actions={
          <Button small onClick={() => setSearch({ open: 'everywhere' })}>
            Log out everywhere…
          </Button>
        }
      >
        <Sessions />
      </Section>
      {search.open === 'password' && <NewPassword onClose={close} />}
      {search.open === 'everywhere' && <LogOutEverywhere onClose={close} />}
    </Page>
  )
}

function Person() {
  const { user, organization } = useSession()
  return (
    <Card>
      <Facts
        facts={[
          ['Name', user.name],
          ['Email', user.email],
          ['Role', nameOf(user.role)],
          ['Organization', organization.name],
          ['Id', <Copy key="id" text={user.id} />],
        ]}
      />
    </Card>
  )
}

type Closing = { onClose: () => void }

const NewPassword = ({ onClose }: Closing) => (
  <PasswordForm
    onClose={onClose}
    onDone={() => {
      onClose()
      say('Your password is changed', { detail: 'Your other sessions have ended.' })
    }}
  />
)

const LogOutEverywhere = ({ onClose }: Closing) => (
  <Confirm
    title="Log out everywhere?"
    text="All of your sessions end at once, this one too."
    verb="Log out everywhere"
    run={(write) => flightdeck.auth.logout({ all: true }, write)}
    onClose={onClose}
    onDone={() => location.assign('/console')}
  />
)
