import { Notice } from '../../../ui/notice.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import type { ChangeSetOperation } from '../queries.ts'

type Check = ChangeSetOperation['network_check']

const countOf = (
  operations: readonly ChangeSetOperation[],
  wanted: NonNullable<Check>['outcome'],
) => operations.filter(({ network_check }) => network_check?.outcome === wanted).length

/** The word of the networks on all edits together. */
export function NetworkNote({ operations }: { operations: readonly ChangeSetOperation[] }) {
  const refused = countOf(operations, 'refused')
  const open = countOf(operations, 'open')
  return (
    <>
      {refused > 0 && (
        <Notice tone="bad" title={`The network would refuse ${campaigns(refused)}.`}>
          <p>What it refuses would stay in the network as it is.</p>
        </Notice>
      )}
      {open > 0 && <Soft>Waiting for the network’s answer on {campaigns(open)}.</Soft>}
    </>
  )
}

const campaigns = (count: number) => (count === 1 ? '1 campaign' : `${count} campaigns`)

/** The word of the network on one campaign. */
export const NetworkStatus = ({ check }: { check: Check }) =>
  check?.outcome === 'accepted' ? <Status tone="good">Network accepts it</Status> : null

export const NetworkRefusal = ({ check }: { check: Check }) =>
  check?.error ? (
    <Notice tone="bad" title={`The network would refuse it: ${check.error.message}`} />
  ) : null
