import { isProblem } from '@flightdeckhq/sdk'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, Suspense, useState } from 'react'
import { loadCode } from '../../data/code.ts'
import { type Login, logIn } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../ui/fields/form.ts'
import { lazyPart } from '../../ui/lazily.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { faultsOf } from '../../ui/problem.ts'
import styles from './login.module.css'
import { mayUsePasskeys } from './may-use-passkeys.ts'
import type { SecondStepProps } from './second-step.tsx'
import type { SingleSignOnProps } from './single-sign-on.tsx'

const LoginPage = () => (
  <main className={styles.page}>
    <title>Log in · Flightdeck</title>
    <div className={styles.card}>
      <h1 className={styles.brand}>
        <Logo />
        Flightdeck
      </h1>
      <LoginForm email="" />
    </div>
  </main>
)

// Within a Suspense of its own: a dialog around it would close while the code loads.
const SecondStep = lazyPart<SecondStepProps>(() => import('./second-step.tsx'))
const SingleSignOn = lazyPart<SingleSignOnProps>(() => import('./single-sign-on.tsx'))

const isEncrypted = location.protocol === 'https:' || window.isSecureContext

const Unencrypted = () => (
  <Notice tone="warn" title="This connection is not encrypted.">
    <p>Others can read it. Ask for an https address.</p>
  </Notice>
)

/** One attempt at a time, and why the last one failed. */
function useAttempts(form: Form<Login>, onDone?: () => void) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const attempt = async (way: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await way()
      onDone?.()
    } catch (thrown) {
      setError(thrown)
      form.setFaults(faultsOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { error, setError, isBusy, attempt }
}

type LoginFormProps = {
  email: string
  /** Begins with single sign-on, by which the session before was opened. */
  isSso?: boolean
  /** Only a login that is made now will do. */
  isRecent?: boolean
  onDone?: () => void
}

export function LoginForm({ email, isSso = false, isRecent = false, onDone }: LoginFormProps) {
  const [isElsewhere, setElsewhere] = useState(isSso)
  const form = useForm({ draft: null, initial: { email, password: '' } })
  const attempts = useAttempts(form, onDone)
  const { error, setError } = attempts
  if (isProblem(error, 'second_factor_required'))
    return (
      <Suspense>
        <SecondStep {...error.problem} onDone={onDone} onOver={setError} />
      </Suspense>
    )
  const isRequired = isProblem(error, 'sso_required')
  if (isElsewhere || isRequired)
    return (
      <Suspense>
        <SingleSignOn
          {...{ isRequired, isRecent, onDone }}
          email={form.values.email}
          onBack={() => {
            setElsewhere(false)
            setError(null)
          }}
        />
      </Suspense>
    )
  return (
    <PasswordForm form={form} {...attempts}>
      <p className={styles.aside}>
        <Button look="link" onClick={() => setElsewhere(true)}>
          Single sign-on
        </Button>
        {!onDone && <Link to="/forgotten">Forgot your password?</Link>}
      </p>
    </PasswordForm>
  )
}

type PasswordFormProps = Omit<ReturnType<typeof useAttempts>, 'setError'> & {
  form: Form<Login>
  /** Other ways, below. */
  children: ReactNode
}

function PasswordForm({ form, error, isBusy, attempt, children }: PasswordFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => logIn(form.values).finally(() => form.set({ password: '' })))
  }
  const byPasskey = () =>
    attempt(async () => (await loadCode(() => import('./passkey.ts'))).logInByPasskey())
  const isKnown = form.initial.email !== ''
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {!isEncrypted && <Unencrypted />}
      {error !== null && <ProblemNotice error={error} />}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus={!isKnown}
        {...form.field('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus={isKnown}
        {...form.field('password')}
      />
      <Button type="submit" look="primary" busy={isBusy}>
        Log in
      </Button>
      {mayUsePasskeys && (
        <Button busy={isBusy} onClick={() => void byPasskey()}>
          Log in with a passkey
        </Button>
      )}
      {children}
    </form>
  )
}

export default LoginPage
