import { isProblem } from '@flightdeckhq/sdk'
import { useState } from 'react'
import { sessionClient } from '../../flightdeck.ts'
import { begin } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { ProblemNotice } from '../../ui/notice.tsx'
import { LinkForm } from './link-form.tsx'
import styles from './login.module.css'
import { mayUsePasskeys } from './may-use-passkeys.ts'
import { logInByPasskey } from './passkey.ts'

export type SecondStepProps = {
  challenge: string | null
  /** Names of what it can be answered by. */
  methods: readonly string[]
  onDone?: (() => void) | undefined
  /** The challenge has ended, with the reason: the login begins again. */
  onOver: (error: unknown) => void
}

/** The second step of a login: a passkey, a code of the app, or a recovery code. */
export default function SecondStep({ challenge, methods, onDone, onOver }: SecondStepProps) {
  const form = useForm({ draft: null, initial: { otp: '' } })
  const answer = async (send: () => Promise<unknown>) => {
    try {
      await send()
    } catch (error) {
      form.set({ otp: '' })
      if (isProblem(error, 'invalid_credentials') && error.problem.tries_left === 0) onOver(error)
      throw error
    }
    onDone?.()
  }
  const verify = async ({ otp }: { otp: string }) => {
    await sessionClient.request('POST', '/console/session/verify', { body: { challenge, otp } })
    await begin()
  }
  const hasApp = methods.includes('otp')
  const hasPasskey = methods.includes('passkey') && mayUsePasskeys
  const [isByCode, setByCode] = useState(hasApp || !hasPasskey)
  return (
    <div className={styles.form}>
      {hasPasskey && (
        <ByPasskey isFirst={!isByCode} use={() => answer(() => logInByPasskey(challenge ?? ''))} />
      )}
      {isByCode ? (
        <LinkForm form={form} verb="Log in" submit={(values) => answer(() => verify(values))}>
          <TextField
            label="Code"
            autoComplete="one-time-code"
            autoFocus
            hint={`${hasApp ? 'Six digits of your app, or one' : 'One'} of your recovery codes.`}
            {...form.field('otp')}
          />
        </LinkForm>
      ) : (
        <Button look="link" onClick={() => setByCode(true)}>
          Use a recovery code instead
        </Button>
      )}
    </div>
  )
}

type ByPasskeyProps = { isFirst: boolean; use: () => Promise<void> }

function ByPasskey({ isFirst, use }: ByPasskeyProps) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    setError(null)
    await use().catch(setError)
    setBusy(false)
  }
  return (
    <>
      {error !== null && <ProblemNotice error={error} />}
      <Button
        look={isFirst ? 'primary' : 'plain'}
        autoFocus={isFirst}
        busy={isBusy}
        onClick={() => void press()}
      >
        Use a passkey
      </Button>
    </>
  )
}
