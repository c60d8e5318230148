import { useEffect } from 'react'
import { Logo } from '../../ui/logo.tsx'
import styles from './login.module.css'
import { sayLoggedIn } from './provider-login.ts'

/** The end of a login in a window of its own, which closes. */
export default function LoggedIn() {
  useEffect(sayLoggedIn, [])
  return (
    <main className={styles.page}>
      <title>Logged in · Flightdeck</title>
      <div className={styles.card}>
        <h1 className={styles.brand}>
          <Logo />
          You are logged in
        </h1>
        <p>Close this window, and go on where you were.</p>
      </div>
    </main>
  )
}
