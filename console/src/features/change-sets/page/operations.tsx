import { IconArrowRight } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { nameOf } from '../../../data/choices.ts'
import { useRows } from '../../../data/lists.ts'
import { type Tone, words } from '../../../data/words.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { Notice, ProblemNotice } from '../../../ui/notice.tsx'
import { detailOf } from '../../../ui/problem.ts'
import { ObjectLink } from '../../../ui/values/object-link.tsx'
import { Status } from '../../../ui/values/status.tsx'
import styles from '../change-sets.module.css'
import {
  type ChangeSet,
  type ChangeSetOperation,
  campaignFacts,
  operationList,
} from '../queries.ts'
import { ChangedValue, type Facts } from './changed-value.tsx'
import { Beside, EvidenceNote } from './evidence.tsx'
import { NetworkNote, NetworkRefusal, NetworkStatus } from './network.tsx'
import { Tried } from './tried.tsx'

/** Every edit by object: before and after, side by side. */
export function Operations({ changeSet }: { changeSet: ChangeSet }) {
  const query = useInfiniteQuery(operationList(changeSet.id))
  const rows = useRows({ data: query.data && withKeys(query.data) })
  const ids = rows.flatMap(({ operation }) =>
    operation.resource === 'campaign' && operation.id ? [operation.id] : [],
  )
  const fails = rows.some(({ operation }) => operation.effect === 'failed')
  const facts = useQuery(campaignFacts([...new Set(ids)].slice(0, 100), fails)).data
  if (query.isPending) return <Skeleton rows={4} />
  if (query.error) return <ProblemNotice error={query.error} />
  return (
    <>
      <NetworkNote operations={rows.map(({ operation }) => operation)} />
      <EvidenceNote operations={rows.map(({ operation }) => operation)} />
      <div className={styles.objects}>
        {groupsOf(rows.map(({ operation }) => operation)).map(([first, ...more]) => (
          <ObjectEdits
            key={first.index}
            operations={[first, ...more]}
            facts={facts?.get(first.id ?? '')}
          />
        ))}
      </div>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more edits
        </Button>
      )}
    </>
  )
}

/** Operations have no id of their own: their place is it. */
const withKeys = ({ pages }: { pages: { data: ChangeSetOperation[]; meta: unknown }[] }) => ({
  pages: pages.map((page) => ({
    data: page.data.map((operation) => ({ id: `${operation.index}`, operation })),
    meta: { next_cursor: null, has_more: false },
  })),
})

type Group = readonly [ChangeSetOperation, ...ChangeSetOperation[]]

/** Edits of one object that follow each other are shown together. */
function groupsOf(operations: readonly ChangeSetOperation[]): Group[] {
  const groups: [ChangeSetOperation, ...ChangeSetOperation[]][] = []
  for (const operation of operations) {
    const last = groups.at(-1)
    const isSame = last && operation.id !== null && last[0].id === operation.id
    if (isSame) last.push(operation)
    else groups.push([operation])
  }
  return groups
}

const tones: Readonly<Record<string, Tone>> = { failed: 'bad', delete: 'bad', create: 'good' }

function ObjectEdits({ operations, facts }: { operations: Group; facts: Facts | undefined }) {
  const [{ id, name, resource, target, client, evidence }] = operations
  const shown = name ?? target ?? words(resource)
  return (
    <article className={styles.object}>
      <div className={styles.objectHead}>
        <span className={styles.objectName}>
          {id === null ? (
            shown
          ) : (
            <ObjectLink type={resource} id={id}>
              {shown}
            </ObjectLink>
          )}
        </span>
        {operations.map((operation) => (
          <Status key={operation.index} tone={tones[operation.effect] ?? 'neutral'}>
            {effectText(operation)}
          </Status>
        ))}
        {operations.some(({ stale }) => stale) && <Status tone="warn">Changed meanwhile</Status>}
        {operations.map(({ index, network_check }) => (
          <NetworkStatus key={index} check={network_check} />
        ))}
      </div>
      <Beside client={client} evidence={evidence} facts={facts} />
      {operations.map((operation) => (
        <Edit key={operation.index} operation={operation} facts={facts} />
      ))}
    </article>
  )
}

const effectText = ({ effect, op, action }: ChangeSetOperation): string => {
  if (effect === 'failed') return `${words(action ?? op)}: failed`
  return words(effect === 'action' ? (action ?? effect) : effect)
}

function Edit({ operation, facts }: { operation: ChangeSetOperation; facts: Facts | undefined }) {
  const { changes, warnings, problem, result, network_check } = operation
  const exact = new Set(changes.map(({ field }) => field))
  // The same amount is there in minor units, which are exact.
  const shown = changes.filter(({ field }) => !exact.has(`${field}_minor`))
  return (
    <>
      {shown.length > 0 && (
        <dl className={styles.changes}>
          {shown.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{nameOf(field.replace(/_minor$/, ''))}</dt>
              <dd className={styles.before}>
                <ChangedValue field={field} value={before} facts={facts} />
              </dd>
              <dd>
                <IconArrowRight aria-label="becomes" size={14} />
              </dd>
              <dd className={styles.after}>
                <ChangedValue field={field} value={after} facts={facts} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Tried operation={operation} facts={facts} />
      {problem && <Notice tone="bad" title={detailOf(problem)} />}
      <NetworkRefusal check={network_check} />
      {warnings.map(({ code, message }) => (
        <Notice key={code} tone="warn" title={message} />
      ))}
      {(result?.left ?? []).map(({ field }) => (
        <Notice
          key={field}
          tone="warn"
          title={`${words(field)} was not set back: it has been changed since.`}
        />
      ))}
    </>
  )
}
