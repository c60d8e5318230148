import { useState } from 'react'
import { flightdeck, type Schema } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice, ProblemNotice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/page.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { inPlainWords } from './values.ts'

type Result = Schema<'SsoTest'>

/** Asks the provider, and says what is wrong. */
export function Trial() {
  const [result, setResult] = useState<Result | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setError(null)
    try {
      setResult(await flightdeck.organization.testSso())
    } catch (thrown) {
      setResult(null)
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section
      title="Test"
      actions={
        <Button small busy={isBusy} onClick={() => void run()}>
          Test
        </Button>
      }
    >
      {error !== null && <ProblemNotice error={error} />}
      {result ? (
        <Outcome result={result} />
      ) : (
        <Soft>
          Reads the provider’s configuration and keys, and asks whether id and secret are right.
        </Soft>
      )}
    </Section>
  )
}

const Outcome = ({ result: { ok, problems, warnings } }: { result: Result }) => (
  <>
    {ok ? (
      <Notice tone="good" title="It works: members of the proved domains can log in." />
    ) : (
      <Notice tone="bad" title="No one can log in by it yet">
        <Sentences texts={problems} />
      </Notice>
    )}
    {warnings.length > 0 && (
      <Notice tone="warn" title="This may be wrong">
        <Sentences texts={warnings} />
      </Notice>
    )}
  </>
)

const Sentences = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => <p key={text}>{inPlainWords(text)}</p>)
