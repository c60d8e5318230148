import { useEffect, useState } from 'react'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { LinkForm } from './link-form.tsx'
import styles from './login.module.css'
import { logInBeside, startAddress } from './provider-login.ts'

export type SingleSignOnProps = {
  email: string
  /** The password was refused: the organization wants single sign-on. */
  isRequired: boolean
  /** The provider has to ask the person again. */
  isRecent: boolean
  /** Set over a screen, which stays: the login opens in a window of its own. */
  onDone?: (() => void) | undefined
  /** Leads back to the password. */
  onBack: () => void
}

type SsoPlace = Schema<'SsoPlace'>

const find = async (asked: { email: string }) => flightdeck.auth.findSso(asked)

/** Asks by the address whether and where someone logs in with a provider. */
export default function SingleSignOn(props: SingleSignOnProps) {
  const { email, isRequired, onBack } = props
  const form = useForm({ draft: null, initial: { email } })
  const [place, setPlace] = useState<SsoPlace | null>(null)
  const [isAsking, setAsking] = useState(email !== '')
  useEffect(() => {
    if (email === '') return
    // The address is known: people press one button less. A failure asks for it.
    void find({ email })
      .then(setPlace, () => {})
      .finally(() => setAsking(false))
  }, [email])
  if (isAsking) return <p role="status">Asking for your organization’s login…</p>
  return (
    <div className={styles.form}>
      {isRequired && <Notice title="Your organization asks for single sign-on" />}
      {place?.start_url ? (
        <AtProvider place={place} startUrl={place.start_url} {...props} />
      ) : (
        <>
          {place && <NoPlace email={form.values.email} />}
          <LinkForm form={form} verb="Go on" submit={async (asked) => setPlace(await find(asked))}>
            <TextField
              label="Email"
              type="email"
              autoComplete="username"
              autoFocus
              hint="Its domain says where your organization logs you in."
              {...form.field('email')}
            />
          </LinkForm>
        </>
      )}
      <p className={styles.aside}>
        <Button look="link" onClick={onBack}>
          Log in with a password
        </Button>
      </p>
    </div>
  )
}

const NoPlace = ({ email }: { email: string }) => (
  <Notice tone="warn" title="There is no single sign-on for this address">
    <p>The domain of {email} has none here. Check the address, or log in with your password.</p>
  </Notice>
)

type AtProviderProps = SingleSignOnProps & { place: SsoPlace; startUrl: string }

function AtProvider({ place, startUrl, isRecent, onDone }: AtProviderProps) {
  const [isOpen, setOpen] = useState(false)
  const address = (next: string) => startAddress(startUrl, { next, isRecent })
  const go = () => {
    if (!onDone) return location.assign(address(location.href.slice(location.origin.length)))
    setOpen(true)
    logInBeside(address('/console/logged-in'), onDone)
  }
  return (
    <>
      <p>
        Your organization logs you in at <strong>{hostOf(place.issuer)}</strong>.
      </p>
      <Button look="primary" autoFocus onClick={go}>
        Log in with your organization’s account
      </Button>
      {isOpen && <p role="status">Log in in the window that has opened. This one then goes on.</p>}
    </>
  )
}

const hostOf = (issuer: string | null): string => (issuer ? new URL(issuer).host : 'its provider')
