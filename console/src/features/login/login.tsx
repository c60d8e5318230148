import { isProblem } from '@flightdeckhq/sdk'
import { Link } from '@tanstack/react-router'
import { type FormEvent, Suspense, useState } from 'react'
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

const LoginPage = () => (
  <main className={styles.page}>
    <title>Log in · Flightdeck</title>
    <div className={styles.card}>
      <h1 className={styles.brand}>
        <Logo />
        Flightdeck
      </h1>
      <LoginForm email="" />
      <p className={styles.aside}>
        <Link to="/forgotten">Forgot your password?</Link>
      </p>
    </div>
  </main>
)

// Within a Suspense of its own: a dialog around it would close while the code loads.
const SecondStep = lazyPart<SecondStepProps>(() => import('./second-step.tsx'))

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

export function LoginForm({ email, onDone }: { email: string; onDone?: () => void }) {
  const form = useForm({ draft: null, initial: { email, password: '' } })
  const { error, setError, isBusy, attempt } = useAttempts(form, onDone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => logIn(form.values).finally(() => form.set({ password: '' })))
  }
  const byPasskey = () =>
    attempt(async () => (await loadCode(() => import('./passkey.ts'))).logInByPasskey())
  if (isProblem(error, 'second_factor_required'))
    return (
      <Suspense>
        <SecondStep {...error.problem} onDone={onDone} onOver={setError} />
      </Suspense>
    )
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {!isEncrypted && <Unencrypted />}
      {error !== null && <ProblemNotice error={error} />}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus={email === ''}
        {...form.field('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus={email !== ''}
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
    </form>
  )
}

export default LoginPage
