import { isProblem } from '@flightdeckhq/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { nameOf } from '../../../data/choices.ts'
import { useScreenState } from '../../../data/search.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/forms/confirm.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { Empty } from '../../../ui/lists/empty.tsx'
import { EditButton, MoreMenu } from '../../../ui/objects/object-actions.tsx'
import { ObjectScreen } from '../../../ui/objects/object-screen.tsx'
import { Card, Facts, Page, Section } from '../../../ui/page.tsx'
import { Copy } from '../../../ui/values/text.tsx'
import { Age } from '../../../ui/values/time.tsx'
import { OrganizationSections } from '../sections.tsx'
import { Domains } from './domains.tsx'
import type { SsoFormProps } from './form.tsx'
import { Trial } from './trial.tsx'
import type { Sso } from './values.ts'

const SsoForm = lazyDialog<SsoFormProps>(() => import('./form.tsx'))

const ssoQuery = queryOptions({
  queryKey: ['organization', 'sso'],
  queryFn: async (): Promise<{ sso: Sso | null }> => {
    try {
      return { sso: await flightdeck.organization.getSso() }
    } catch (error) {
      if (isProblem(error, 'not_found')) return { sso: null }
      throw error
    }
  },
})

export default function SingleSignOnScreen() {
  return (
    <ObjectScreen query={useQuery(ssoQuery)}>{({ sso }) => <SsoPage sso={sso} />}</ObjectScreen>
  )
}

function SsoPage({ sso }: { sso: Sso | null }) {
  const [search, setSearch] = useScreenState()
  const client = useQueryClient()
  const reload = () => void client.invalidateQueries({ queryKey: ssoQuery.queryKey })
  const close = () => setSearch({ open: undefined })
  const done = () => {
    close()
    reload()
  }
  return (
    <Page
      title="Single sign-on"
      about="Members log in by your organization’s own identity provider, over OpenID Connect."
      actions={
        sso && (
          <>
            <EditButton needs="putSso" />
            <MoreMenu
              items={[{ name: 'Remove…', danger: true, run: () => setSearch({ open: 'remove' }) }]}
            />
          </>
        )
      }
    >
      <OrganizationSections />
      {sso ? (
        <>
          <Settings sso={sso} />
          <Domains sso={sso} onProved={reload} />
          <Trial key={sso.version} />
        </>
      ) : (
        <NotSetUp onStart={() => setSearch({ open: 'edit' })} />
      )}
      <Suspense>
        {search.open === 'edit' && <SsoForm sso={sso} onDone={done} onClose={close} />}
      </Suspense>
      {search.open === 'remove' && sso && <Removal sso={sso} onDone={done} onClose={close} />}
    </Page>
  )
}

const NotSetUp = ({ onStart }: { onStart: () => void }) => (
  <Empty
    title="Not set up"
    action={
      <Button look="primary" blocked={useBlocked('putSso')} onClick={onStart}>
        Set up single sign-on
      </Button>
    }
  >
    It needs a domain of your own, and the right to register an application at your provider, such
    as Microsoft Entra, Okta or Google Workspace.
  </Empty>
)

function Settings({ sso }: { sso: Sso }) {
  const mapped = Object.entries(sso.role_map).map(([value, role]) => `${value}: ${nameOf(role)}`)
  const roles = sso.role_claim === null ? 'Set by hand' : `By the claim ${sso.role_claim}`
  return (
    <>
      <Card>
        <Facts
          facts={[
            ['Issuer', sso.issuer],
            ['Client id', sso.client_id],
            ['Roles', roles],
            ['Roles by value', mapped.length === 0 ? null : mapped.join(', ')],
            ['Role of new members', nameOf(sso.default_role)],
            ['First login', sso.create_members ? 'Makes an account' : 'Only of members'],
            ['Addresses', sso.trust_email ? 'Trusted as they are' : 'Only verified ones'],
            ['Passwords', sso.enforced ? 'Of owners only' : 'Work too'],
            ['Changed', <Age key="changed" time={sso.updated_at} />],
          ]}
        />
      </Card>
      <Section title="To register at your provider">
        <Card>
          <Facts
            facts={[
              ['Redirect URI', <Copy key="redirect" text={sso.redirect_uri} />],
              ['Back-channel logout URI', <Copy key="logout" text={sso.backchannel_logout_uri} />],
            ]}
          />
        </Card>
      </Section>
    </>
  )
}

type RemovalProps = { sso: Sso; onDone: () => void; onClose: () => void }

const Removal = ({ sso, onDone, onClose }: RemovalProps) => (
  <Confirm
    title="Remove single sign-on?"
    text="Its domains go too. Members keep their accounts; who has no password sets one by “Forgot your password?”."
    verb="Remove"
    danger
    run={(write) => flightdeck.organization.deleteSso({ ...write, ifMatch: sso.version })}
    onClose={onClose}
    onDone={() => {
      say('Single sign-on is removed')
      onDone()
    }}
  />
)
