import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { logIn, type Session } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { faultsOf } from '../../ui/problem.ts'
import styles from './login.module.css'

export const LoginPage = () => (
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

/** Over the screen that one was on: what was typed there stays. */
export const LoginAgain = ({ ended }: { ended: Session }) => (
  <Dialog title="Your session has ended" firm onClose={() => {}}>
    <div className={styles.form}>
      <p>Log in again to go on. Nothing that you typed is lost.</p>
      <LoginForm email={ended.user.email} />
    </div>
  </Dialog>
)

const isEncrypted = location.protocol === 'https:' || window.isSecureContext

function LoginForm({ email }: { email: string }) {
  const form = useForm({ draft: null, initial: { email, password: '' } })
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await logIn(form.values)
    } catch (thrown) {
      setError(thrown)
      form.setFaults(faultsOf(thrown))
      form.set({ password: '' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {!isEncrypted && (
        <Notice tone="warn" title="This connection is not encrypted.">
          <p>Others on your network can read what you send. Ask for an https address.</p>
        </Notice>
      )}
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
    </form>
  )
}
