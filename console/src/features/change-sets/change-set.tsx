import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { nameOf } from '../../data/choices.ts'
import { useScreenState } from '../../data/search.ts'
import type { Schema } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ObjectLink } from '../../ui/object-link.tsx'
import { ObjectScreen } from '../../ui/object-screen.tsx'
import { Card, Facts, Page, Section } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { Copy, Soft } from '../../ui/text.tsx'
import { Time } from '../../ui/time.tsx'
import { Actions } from './actions.tsx'
import styles from './change-sets.module.css'
import { ChangeSetForm } from './form.tsx'
import { Operations } from './operations.tsx'
import { type ChangeSet, changeSetQuery } from './queries.ts'
import { Spend } from './spend.tsx'
import { StaleNotice } from './stale.tsx'
import { ChangeSetStatus } from './status.tsx'
import { Undo } from './undo.tsx'

/** What one sends to a colleague as a link: all that a decision needs is on it. */
export default function ChangeSetScreen() {
  const { id = '' } = useParams({ strict: false })
  return (
    <ObjectScreen query={useQuery(changeSetQuery(id))}>
      {(changeSet) => <Review changeSet={changeSet} />}
    </ObjectScreen>
  )
}

function Review({ changeSet }: { changeSet: ChangeSet }) {
  const [search, setSearch] = useScreenState()
  const blocked = useBlocked('updateChangeSet')
  const isOpen = changeSet.available_actions.some(({ action }) => action === 'cancel')
  return (
    <Page
      title={changeSet.title}
      beside={<ChangeSetStatus status={changeSet.status} />}
      within={{ to: '/change-sets', name: 'Change sets' }}
      about={`Proposed by ${changeSet.created_by_name ?? 'a person who is gone'}`}
      actions={
        <>
          {isOpen && (
            <Button blocked={blocked} onClick={() => setSearch({ open: 'edit' })}>
              Edit
            </Button>
          )}
          {changeSet.status === 'applied' && <Undo changeSet={changeSet} />}
          <Actions changeSet={changeSet} />
        </>
      }
    >
      <Findings changeSet={changeSet} />
      <Card>
        {changeSet.description && <p>{changeSet.description}</p>}
        <Spend deltas={changeSet.spend_delta} />
        <Facts facts={factsOf(changeSet)} />
      </Card>
      <Section title="Edits">
        <Operations changeSet={changeSet} />
      </Section>
      {search.open === 'edit' && (
        <ChangeSetForm changeSet={changeSet} onClose={() => setSearch({ open: undefined })} />
      )}
    </Page>
  )
}

/** What stands in the way, and what is asked of whom. */
function Findings({ changeSet }: { changeSet: ChangeSet }) {
  const { approval, approved_at, summary, failure, rejected_reason, stale } = changeSet
  const isOpen = ['open', 'approved', 'scheduled'].includes(changeSet.status)
  return (
    <>
      {failure && (
        <Notice tone="bad" title="It could not be applied at its time.">
          <p>{failure.detail}</p>
        </Notice>
      )}
      {rejected_reason && (
        <Notice tone="bad" title="It was rejected.">
          <p>{rejected_reason}</p>
        </Notice>
      )}
      {isOpen && stale.length > 0 && <StaleNotice stale={stale} />}
      {isOpen && summary.failed > 0 && (
        <Notice
          tone="bad"
          title={`${summary.failed} of ${changeSet.operation_count} edits cannot be applied.`}
        >
          <p>
            {changeSet.mode === 'atomic'
              ? 'Nothing is applied until all of them can be.'
              : 'The others are applied.'}
          </p>
        </Notice>
      )}
      {isOpen && approval.required && approved_at === null && (
        <Notice tone="warn" title="It needs an approval.">
          <p>
            By {listOf(approval.approver_roles)}, and not by its author.{' '}
            {approval.reasons.map((reason) => why[reason]).join(' ')}
          </p>
        </Notice>
      )}
    </>
  )
}

type Why = ChangeSet['approval']['reasons'][number]

const why: Readonly<Record<Why, string>> = {
  always: 'The guardrails ask for one for every change set.',
  raises: 'It raises what is spent in a day by more than the guardrails allow without one.',
  campaign: 'A campaign in it needs one.',
}

const listOf = (names: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(names.map((name) => `an ${name}`))

function factsOf(changeSet: ChangeSet) {
  const { summary, mode, source } = changeSet
  return [
    ['Does', summaryText(summary)],
    ['Mode', mode === 'atomic' ? 'All or nothing' : 'Each edit that can be'],
    ['Apply at', <Time key="apply" time={changeSet.apply_at} none="On request" />],
    ['Set back at', <Time key="revert" time={changeSet.revert_at} none="Never" />],
    ['Tried out', <Time key="tried" time={changeSet.tried_at} />],
    ['Expires', <Time key="expires" time={changeSet.expires_at} />],
    ['Approved', <Time key="approved" time={changeSet.approved_at} none="No" />],
    ['Applied at', <Time key="applied" time={changeSet.applied_at} none="Not yet" />],
    ['Made with', <MadeWith key="source" source={source} />],
    ['Id', <Copy key="id" text={changeSet.id} />],
  ] as const
}

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
