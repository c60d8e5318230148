import { formatTime } from '../../data/values/time.ts'
import type { Schema } from '../../flightdeck.ts'
import { Notice } from '../../ui/notice.tsx'
import { Copy } from '../../ui/values/text.tsx'
import type { Verified } from './verify-here.ts'

/** The result of verifying in this browser, in words. */
export function VerifiedResult({ result }: { result: Verified }) {
  const { from, to, headHash, brokenAt, checkpoints, known } = result
  const { signed, retired, forged } = checkpoints
  return (
    <Result brokenAt={brokenAt} from={from} to={to} headHash={headHash}>
      {from !== null && from > 1 && (
        <p>Records before no. {from} were deleted after their retention.</p>
      )}
      {signed > 0 && <p>{checkpointCount(signed)} signed by a published key.</p>}
      {retired > 0 && (
        <p>
          {checkpointCount(retired)} signed by a key that is no longer published: compared, but the
          signature cannot be checked here.
        </p>
      )}
      {forged > 0 && <p>{checkpointCount(forged)} with a forged signature.</p>}
      {known && (
        <p>
          {brokenAt === null ? 'It continues' : 'It was compared with'} the log that this browser
          verified up to no. {known.sequence} on {formatTime(known.at)}.
        </p>
      )}
    </Result>
  )
}

const checkpointCount = (count: number) => (count === 1 ? '1 checkpoint' : `${count} checkpoints`)

/** The result of the service's verification. */
export function ServiceResult({ result }: { result: Schema<'AuditVerification'> }) {
  const { valid, from_sequence, to_sequence, head_hash, first_bad_sequence, checkpoints } = result
  return (
    <Result
      brokenAt={valid ? null : (first_bad_sequence ?? 0)}
      from={from_sequence}
      to={to_sequence}
      headHash={head_hash}
    >
      {result.since_checkpoint && <p>Begun at the checkpoint of no. {result.since_checkpoint}.</p>}
      <p>{checkpointCount(checkpoints.count)} compared.</p>
    </Result>
  )
}

type ResultProps = {
  brokenAt: number | null
  from: number | null
  to: number | null
  headHash: string | null
  children: React.ReactNode
}

const Result = ({ brokenAt, from, to, headHash, children }: ResultProps) => (
  <Notice
    tone={brokenAt === null ? 'good' : 'bad'}
    title={
      brokenAt === null
        ? `Intact: records ${from ?? 0} to ${to ?? 0}`
        : `Broken at record ${brokenAt}`
    }
  >
    {brokenAt !== null && (
      <p>
        That record was changed, is missing, or contradicts a checkpoint. Keep the export, and ask
        the operator of Flightdeck.
      </p>
    )}
    {children}
    {headHash && <Copy text={headHash} />}
  </Notice>
)
