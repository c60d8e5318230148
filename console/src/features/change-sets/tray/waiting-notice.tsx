import { Fragment } from 'react'
import { nameOf } from '../../../data/choices.ts'
import { words } from '../../../data/words.ts'
import type { Campaign } from '../../../flightdeck.ts'
import { Notice } from '../../../ui/notice.tsx'
import { ObjectLink } from '../../../ui/values/object-link.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { ChangedValue } from '../page/changed-value.tsx'
import type { ChangeSetOperation } from '../queries.ts'
import { useWaiting, type Waiting } from './waiting.ts'

/** The scheduled changes of a campaign, with links to them. */
export function WaitingChanges({ campaign }: { campaign: Campaign }) {
  const waiting = useWaiting(campaign.id)
  if (waiting.length === 0) return null
  return (
    <section aria-label="Scheduled changes">
      <Notice title={waiting.length === 1 ? 'A change is scheduled.' : 'Changes are scheduled.'}>
        {waiting.map((each) => (
          <p key={each.changeSet.id}>
            <WaitingChange {...each} campaign={campaign} />
          </p>
        ))}
      </Notice>
    </section>
  )
}

/** `Nov 27, 00:00: EUR 122.63 a day, back on Nov 30`. */
function WaitingChange({ changeSet, operations, campaign }: Waiting & { campaign: Campaign }) {
  const { id, title, status, apply_at, revert_at } = changeSet
  const zone = campaign.time_zone
  const does = operations.map((operation, at) => (
    <Fragment key={operation.index}>
      {at > 0 && ', '}
      <Does operation={operation} campaign={campaign} />
    </Fragment>
  ))
  const link = (
    <ObjectLink type="change_set" id={id}>
      {title}
    </ObjectLink>
  )
  if (status !== 'scheduled') {
    return (
      <>
        <Time time={revert_at} zone={zone} />: set back what was changed ({does}) · {link}
      </>
    )
  }
  return (
    <>
      <Time time={apply_at} zone={zone} />: {does}
      {revert_at !== null && (
        <>
          , back on <Time time={revert_at} zone={zone} />
        </>
      )}{' '}
      · {link}
      {changeSet.stale.length > 0 && (
        <Soft> Something has changed since it was tried out: as it is, it may fail.</Soft>
      )}
    </>
  )
}

const units: Readonly<Record<string, string>> = {
  daily_budget_minor: ' a day',
  lifetime_budget_minor: ' in all',
}

/** One edit in a few words: amounts by their unit, other fields by their name. */
function Does({ operation, campaign }: { operation: ChangeSetOperation; campaign: Campaign }) {
  const { op, action, changes } = operation
  if (action !== null) return words(action)
  if (op === 'delete') return words(op)
  const exact = new Set(changes.map(({ field }) => field))
  const shown = changes.filter(({ field }) => !exact.has(`${field}_minor`))
  return shown.map(({ field, after }, at) => (
    <span key={field}>
      {at > 0 && ', '}
      {units[field] === undefined && `${nameOf(field)} `}
      <ChangedValue field={field} value={after} facts={campaign} />
      {after !== null && units[field]}
    </span>
  ))
}
