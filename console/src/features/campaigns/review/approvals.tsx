import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { useRows } from '../../../data/lists.ts'
import { useOnlyClient } from '../../../data/only-client.ts'
import { one, type Search, useScreenState, useSetSearch } from '../../../data/search.ts'
import type { Campaign } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { Empty } from '../../../ui/lists/empty.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { ReadFailed } from '../../../ui/notice.tsx'
import { Card, Page, Section } from '../../../ui/page.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Age } from '../../../ui/values/time.tsx'
import { ActionDialog } from '../acting/action-dialog.tsx'
import { actionWords, isAction } from '../acting/action-words.ts'
import { inReview } from '../queries.ts'
import { blockedText } from '../reasons.ts'
import { ApprovedTerms, ProfileName, Terms } from '../terms.tsx'
import styles from './approvals.module.css'
import { ChangeSetsToApprove } from './change-sets-to-approve.tsx'
import { PersonName } from './review.tsx'

/** Campaigns that wait for an approval, the longest first. */
export default function Approvals() {
  const query = useInfiniteQuery(inReview(useOnlyClient()))
  const rows = useRows(query)
  const { isPending, error, refetch, hasNextPage, fetchNextPage } = query
  return (
    <Page title="Approvals" about="What was submitted, and waits for a decision.">
      {isPending && <Skeleton rows={5} />}
      {error && rows.length === 0 && <ReadFailed error={error} retry={refetch} />}
      {!isPending && !error && rows.length === 0 && (
        <Empty title="Nothing waits for an approval">
          Campaigns appear here when they are submitted. Who must submit them is set in the
          guardrails.
        </Empty>
      )}
      {rows.length > 0 && <Inbox rows={rows} />}
      {hasNextPage && (
        <div>
          <Button small onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <ChangeSetsToApprove />
    </Page>
  )
}

function Inbox({ rows }: { rows: readonly Campaign[] }) {
  const [search, setSearch] = useScreenState()
  const chosen = rows.find(({ id }) => id === one(search.campaign)) ?? rows[0]
  if (!chosen) return null
  const next = rows[rows.indexOf(chosen) + 1] ?? rows[rows.indexOf(chosen) - 1]
  const open = one(search.open)
  return (
    <div className={styles.inbox}>
      <Waiting rows={rows} chosen={chosen} />
      <Decision campaign={chosen} />
      {isAction(open) && (
        <ActionDialog
          key={chosen.id}
          campaign={chosen}
          action={open}
          onClose={() => setSearch({ open: undefined })}
          onDone={() => {
            say(`${chosen.name} ${actionWords[open].done}`)
            setSearch({ open: undefined, campaign: next?.id })
          }}
        />
      )}
    </div>
  )
}

type WaitingProps = { rows: readonly Campaign[]; chosen: Campaign }

/** The list; arrows, or j and k, go to the next one. */
function Waiting({ rows, chosen }: WaitingProps) {
  const setSearch = useSetSearch()
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
    const next = step && rows[rows.indexOf(chosen) + step]
    if (!next) return
    event.preventDefault()
    setSearch({ campaign: next.id })
    event.currentTarget.querySelector<HTMLElement>(`[data-id="${next.id}"]`)?.focus()
  }
  return (
    <ul className={styles.waiting} onKeyDown={onKey}>
      {rows.map((campaign) => (
        <li key={campaign.id}>
          <Link
            to="."
            search={(before: Search): Search => ({ ...before, campaign: campaign.id })}
            replace
            resetScroll={false}
            activeOptions={{ exact: true }}
            data-id={campaign.id}
            aria-current={campaign === chosen ? 'true' : undefined}
            className={styles.item}
          >
            <span className={styles.name}>{campaign.name}</span>
            <span className={styles.amount}>
              <Budget campaign={campaign} />
            </span>
            <Soft>
              <PersonName id={campaign.review?.submitted_by ?? null} campaign={campaign} />,{' '}
              <Age time={campaign.review?.submitted_at ?? null} />
            </Soft>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Budget({ campaign }: { campaign: Campaign }) {
  const { daily_budget_minor: daily, lifetime_budget_minor: lifetime } = campaign
  const { currency, currency_exponent: exponent } = campaign
  return (
    <>
      <Money minor={daily ?? lifetime} currency={currency} exponent={exponent} />
      {daily === null ? ' in all' : ' a day'}
    </>
  )
}

const decisions = ['approve', 'reject', 'withdraw'] as const

function Decision({ campaign }: { campaign: Campaign }) {
  const setSearch = useSetSearch()
  const { id } = campaign
  return (
    <section aria-label="Chosen campaign" className={styles.decision}>
      <Section
        title={campaign.name}
        actions={
          <div className={styles.buttons}>
            {decisions.map((action) => (
              <Button
                key={action}
                look={action === 'approve' ? 'primary' : 'plain'}
                blocked={blockedFor(campaign, action)}
                onClick={() => setSearch({ open: action })}
              >
                {actionWords[action].verb}…
              </Button>
            ))}
          </div>
        }
      >
        <p>
          <Link to="/campaigns/$id" params={{ id }}>
            Show the campaign
          </Link>{' '}
          <Soft>
            under <ProfileName id={campaign.profile_id} />
          </Soft>
        </p>
        <Card>
          <Terms campaign={campaign} />
        </Card>
        <h3>Beside what was approved before</h3>
        <ApprovedTerms campaign={campaign} />
        {campaign.notes && (
          <>
            <h3>Notes</h3>
            <p>{campaign.notes}</p>
          </>
        )}
      </Section>
    </section>
  )
}

const blockedFor = ({ available_actions }: Campaign, action: string) =>
  blockedText(available_actions.find((each) => each.action === action)?.blocked_by ?? [])
