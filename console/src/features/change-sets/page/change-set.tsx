import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useScreenState } from '../../../data/search.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ObjectScreen } from '../../../ui/objects/object-screen.tsx'
import { Card, Page, Section } from '../../../ui/page.tsx'
import styles from '../change-sets.module.css'
import { ChangeSetForm } from '../form.tsx'
import { type ChangeSet, changeSetQuery } from '../queries.ts'
import { ChangeSetStatus } from '../status.tsx'
import { Actions } from './actions.tsx'
import { ChangeSetFacts } from './facts.tsx'
import { Operations } from './operations.tsx'
import { Spend } from './spend.tsx'
import { StaleNotice } from './stale.tsx'
import { Undo } from './undo.tsx'

/** The screen that one sends to a colleague as a link: everything for a decision is on it. */
export default function ChangeSetScreen() {
  const { id } = useParams({ from: '/change-sets/$id' })
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
      <Why changeSet={changeSet} />
      <Findings changeSet={changeSet} />
      <Card>
        <Spend deltas={changeSet.spend_delta} />
        <ChangeSetFacts changeSet={changeSet} />
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

/** The author's reason, before anything else. */
const Why = ({ changeSet: { description } }: { changeSet: ChangeSet }) =>
  description ? (
    <section className={styles.why} aria-label="Reason">
      <h2>Reason</h2>
      <p dir="auto">{description}</p>
    </section>
  ) : null

/** Obstacles, and what is asked of whom. */
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

type ApprovalReason = ChangeSet['approval']['reasons'][number]

const why: Readonly<Record<ApprovalReason, string>> = {
  always: 'The guardrails ask for one for every change set.',
  raises: 'It raises what is spent in a day by more than the guardrails allow without one.',
  campaign: 'A campaign in it needs one.',
}

const listOf = (names: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(names.map((name) => `an ${name}`))
