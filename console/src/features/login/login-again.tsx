import { flightdeck } from '../../flightdeck.ts'
import type { Session } from '../../session.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import styles from './login.module.css'
import { LoginForm } from './login.tsx'

export type AgainProps = { session: Session; onDone?: ((isDone: boolean) => void) | undefined }

/** Over the screen that one was on, whose session has ended or is too old: what was typed there stays. */
const Again = ({ session, onDone }: AgainProps) => (
  <Dialog
    title={onDone ? 'Log in again for this' : 'Your session has ended'}
    firm={!onDone}
    onClose={() => onDone?.(false)}
  >
    <div className={styles.form}>
      <p>
        {onDone && 'This needs a login of the last 15 minutes. '}
        Log in again to go on. Nothing that you typed is lost.
      </p>
      <LoginForm
        email={session.user.email}
        isSso={session.single_sign_on}
        isRecent={onDone !== undefined}
        onDone={() => {
          if (!onDone) return
          // The new session takes the place of the one before.
          if (session.id) void flightdeck.auth.endSession(session.id).catch(() => {})
          onDone(true)
        }}
      />
    </div>
  </Dialog>
)

export default Again
