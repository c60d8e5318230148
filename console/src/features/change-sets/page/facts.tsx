import { nameOf } from '../../../data/choices.ts'
import type { Schema } from '../../../flightdeck.ts'
import { Facts } from '../../../ui/page.tsx'
import { ObjectLink } from '../../../ui/values/object-link.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Copy, Soft } from '../../../ui/values/text.tsx'
import { By, Time } from '../../../ui/values/time.tsx'
import styles from '../change-sets.module.css'
import type { ChangeSet } from '../queries.ts'

/** The facts of a change set: its operations, its times, and its decisions. */
export const ChangeSetFacts = ({ changeSet }: { changeSet: ChangeSet }) => (
  <Facts facts={changeSetFacts(changeSet)} />
)

function changeSetFacts(changeSet: ChangeSet) {
  const { summary, mode, source, created_by_name } = changeSet
  const { approved_at, approved_by_name, applied_at, applied_by_name } = changeSet
  return [
    ['Does', summaryText(summary)],
    ['Mode', mode === 'atomic' ? 'All or nothing' : 'Each edit that can be'],
    ['Proposed', <ByWhom key="proposed" time={changeSet.created_at} name={created_by_name} />],
    ...endOf(changeSet),
    ['Apply at', <Time key="apply" time={changeSet.apply_at} none="On request" />],
    ['Set back at', <Time key="revert" time={changeSet.revert_at} none="Never" />],
    ['Tried out', <Time key="tried" time={changeSet.tried_at} />],
    ['Expires', <Time key="expires" time={changeSet.expires_at} />],
    [
      'Approved',
      approved_at ? <ByWhom key="approved" time={approved_at} name={approved_by_name} /> : 'No',
    ],
    [
      'Applied',
      applied_at ? <ByWhom key="applied" time={applied_at} name={applied_by_name} /> : 'Not yet',
    ],
    ['Made with', <MadeWith key="source" source={source} />],
    ['Id', <Copy key="id" text={changeSet.id} />],
  ] as const
}

/** The person who closed it without applying it: nothing changes it afterwards. */
function endOf({ status, updated_at, updated_by_name, rejected_by_name }: ChangeSet) {
  if (status === 'rejected') {
    return [['Rejected', <ByWhom key="end" time={updated_at} name={rejected_by_name} />]] as const
  }
  if (status === 'cancelled') {
    return [['Cancelled', <ByWhom key="end" time={updated_at} name={updated_by_name} />]] as const
  }
  return []
}

type ByWhomProps = { time: string; name: string | null | undefined }

const ByWhom = ({ time, name }: ByWhomProps) => (
  <By time={time} name={name ?? 'a person who is gone'} />
)

/** A change set that undoes another names it. */
const MadeWith = ({ source: { kind, reference } }: Pick<ChangeSet, 'source'>) => (
  <>
    {nameOf(kind)}
    {kind === 'console' && reference?.startsWith('chs_') ? (
      <>
        , to undo{' '}
        <ObjectLink type="change_set" id={reference}>
          another change set
        </ObjectLink>
      </>
    ) : (
      reference && ` · ${reference}`
    )}
  </>
)

const kinds: Readonly<Record<string, readonly [string, string]>> = {
  create: ['creation', 'creations'],
  update: ['update', 'updates'],
  action: ['action', 'actions'],
  delete: ['deletion', 'deletions'],
}

function summaryText(summary: Schema<'ChangeSetSummary'>) {
  const parts = Object.entries(summary).filter(([, count]) => count > 0)
  if (parts.length === 0) return <Soft>Nothing</Soft>
  const badges = parts.map(([kind, count]) => (
    <Status key={kind} tone={kind === 'failed' ? 'bad' : 'neutral'}>
      {`${count} ${kinds[kind]?.[count === 1 ? 0 : 1] ?? kind}`}
    </Status>
  ))
  return <span className={styles.badges}>{badges}</span>
}
