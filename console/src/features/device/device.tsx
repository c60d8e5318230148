import { useState } from 'react'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { faultsOf } from '../../ui/problem.ts'
import { Age } from '../../ui/values/time.tsx'
import styles from './device.module.css'

type Asking = NonNullable<Schema<'LoginOfCode'>['waiting']> & { code: string }
type Answer = 'confirmed' | 'refused'

/** Logs in a program that shows a code, such as the command line on another machine. */
export default function Device() {
  const [asking, setAsking] = useState<Asking | null>(null)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const restart = () => {
    setAsking(null)
    setAnswer(null)
  }
  return (
    <Page title="Log in a program" about="By the code that it shows." narrow>
      {answer && <Answered answer={answer} restart={restart} />}
      {!answer && !asking && <CodeForm onFound={setAsking} />}
      {!answer && asking && <Question asking={asking} onAnswer={setAnswer} onBack={restart} />}
    </Page>
  )
}

const unknown = 'No program waits for this code. Codes end after 10 minutes.'

function CodeForm({ onFound }: { onFound: (asking: Asking) => void }) {
  const form = useForm({ draft: null, initial: { code: '' } })
  const { isBusy, error, run } = useRun((thrown) => form.setFaults(faultsOf(thrown)))
  const { code } = form.values
  const find = async () => {
    const { waiting } = await flightdeck.auth.getLoginCode({ code })
    if (waiting) onFound({ ...waiting, code })
    else form.setFaults(new Map([['/code', unknown]]))
  }
  return (
    <Card>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run(find)
        }}
      >
        {error !== null && <ProblemNotice error={error} />}
        <TextField
          label="Code"
          autoComplete="off"
          autoFocus
          hint="Eight letters, such as BCDF-GHJK."
          {...form.field('code')}
        />
        <div className={styles.foot}>
          <Button type="submit" look="primary" busy={isBusy}>
            Go on
          </Button>
        </div>
      </form>
    </Card>
  )
}

type QuestionProps = {
  asking: Asking
  onAnswer: (answer: Answer) => void
  onBack: () => void
}

function Question({ asking, onAnswer, onBack }: QuestionProps) {
  const { user, organization } = useSession()
  const { isBusy, error, run } = useRun()
  const { code, program, ip, created_at } = asking
  const send = (answer: Answer) =>
    run(async () => {
      if (answer === 'confirmed') await flightdeck.auth.confirmLoginCode({ code })
      else await flightdeck.auth.refuseLoginCode({ code })
      onAnswer(answer)
    })
  return (
    <Card>
      <div className={styles.form}>
        <Notice tone="warn" title="Have you started this program yourself, just now?">
          <p>
            It can then do all that you may do as {user.email} of {organization.name}. Refuse it if
            someone else gave you the code.
          </p>
        </Notice>
        <Facts
          facts={[
            ['Program, as it calls itself', program],
            ['Address', ip],
            ['Asked', <Age key="asked" time={created_at} isReal />],
          ]}
        />
        {error !== null && <ProblemNotice error={error} />}
        <div className={styles.foot}>
          <Button look="link" onClick={onBack}>
            Another code
          </Button>
          <Button onClick={() => void send('refused')}>Refuse</Button>
          <Button look="primary" busy={isBusy} onClick={() => void send('confirmed')}>
            Log it in
          </Button>
        </div>
      </div>
    </Card>
  )
}

const texts = {
  confirmed: ['The program is logged in', 'You can close this page. Account shows its session.'],
  refused: ['The program was refused', 'It was not logged in.'],
} as const

function Answered({ answer, restart }: { answer: Answer; restart: () => void }) {
  const [title, text] = texts[answer]
  return (
    <Card>
      <div className={styles.form} role="status">
        <h2>{title}</h2>
        <p>{text}</p>
        <div className={styles.foot}>
          <Button onClick={restart}>Another code</Button>
        </div>
      </div>
    </Card>
  )
}

/** One request at a time, and what came of it. */
function useRun(onError: (error: unknown) => void = () => {}) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (send: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await send()
    } catch (thrown) {
      setError(thrown)
      onError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return { error, isBusy, run }
}
