import { type RowFault, rejectedCsv } from '@flightdeckhq/sdk/results-file'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { nameOf } from '../../../data/choices.ts'
import { saveText } from '../../../data/download.ts'
import { formatCount } from '../../../data/values/numbers.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import fieldStyles from '../../../ui/fields.module.css'
import { Table } from '../../../ui/lists/table.tsx'
import { Notice, ProblemNotice } from '../../../ui/notice.tsx'
import styles from '../results.module.css'
import type { Moved } from './moved.ts'
import type { Sheet } from './sheet.ts'
import type { Progress, Run } from './use-import.ts'

type OutcomeProps = { sheet: Sheet; run: Run; total: number }

/** The faults of the file, what can be done about them, and the rows that are stored. */
export function Outcome({ sheet, run, total }: OutcomeProps) {
  const { progress } = run
  if (progress.at === 'nothing') return null
  if (progress.at === 'failed') return <ProblemNotice error={progress.error} />
  const faults =
    progress.at === 'stored'
      ? [...progress.trial.faults, ...progress.sent.faults]
      : progress.trial.faults
  return (
    <div className={fieldStyles.form} aria-live="polite">
      {progress.at === 'stored' && <Stored progress={progress} total={total} />}
      {faults.length > 0 && (
        <Refused sheet={sheet} faults={faults} run={run} isStored={progress.at === 'stored'} />
      )}
    </div>
  )
}

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${formatCount(count)} rows`)
const daysText = (count: number): string => (count === 1 ? '1 day' : `${formatCount(count)} days`)

type StoredProps = { progress: Extract<Progress, { at: 'stored' }>; total: number }

function Stored({ progress: { sent, moved }, total }: StoredProps) {
  const { error, days, counts } = sent
  if (error !== null) {
    return (
      <>
        <Notice tone="warn" title={`${formatCount(days.length)} of ${rowsText(total)} are stored.`}>
          <p>Import the file again to store the rest: no row is counted twice.</p>
        </Notice>
        <ProblemNotice error={error} />
      </>
    )
  }
  const kinds = Object.entries({ ...counts }).map(
    ([outcome, count = 0]) => `${formatCount(count)} ${nameOf(outcome).toLowerCase()}`,
  )
  return (
    <Notice tone="good" title={`${daysText(days.length)} imported`}>
      <p>{kinds.join(', ')}.</p>
      {moved.length > 0 && <MovedCampaigns moved={moved} />}
      <p className={styles.actions}>
        <LinkButton to="/results">See results</LinkButton>
      </p>
    </Notice>
  )
}

const mostMoved = 10

function MovedCampaigns({ moved }: { moved: readonly Moved[] }) {
  const title = moved.length === 1 ? '1 campaign' : `${formatCount(moved.length)} campaigns`
  const rest = moved.length - mostMoved
  return (
    <>
      <p>{title} changed pacing:</p>
      <ul>
        {moved.slice(0, mostMoved).map(({ id, name, status }) => (
          <li key={id}>
            <Link to="/campaigns/$id" params={{ id }}>
              <bdi>{name}</bdi>
            </Link>
            {`: ${nameOf(status).toLowerCase()}`}
          </li>
        ))}
        {rest > 0 && (
          <li>
            and <Link to="/pacing">{formatCount(rest)} more</Link>
          </li>
        )}
      </ul>
    </>
  )
}

const mostShown = 100

type RefusedProps = { sheet: Sheet; faults: readonly RowFault[]; run: Run; isStored: boolean }

function Refused({ sheet, faults, run, isStored }: RefusedProps) {
  const lines = new Set(faults.map(({ line }) => line))
  const rows = faults.slice(0, mostShown).map((fault, at) => ({ ...fault, id: `${at}` }))
  const title = isStored
    ? `${rowsText(lines.size)} were left out`
    : `${rowsText(lines.size)} cannot be imported; nothing is stored yet`
  const more = faults.length - rows.length
  return (
    <>
      <Notice tone="bad" title={title.replace('1 row were', '1 row was')}>
        <Table
          caption="Faults by line of the file"
          rows={rows}
          columns={[
            { id: 'line', header: 'Line', align: 'end', cell: ({ line }) => line },
            {
              id: 'campaign',
              header: 'Campaign',
              minor: true,
              cell: ({ campaign }) => <bdi>{campaign}</bdi>,
            },
            { id: 'column', header: 'Column', cell: ({ column }) => column },
            { id: 'value', header: 'Value', cell: ({ value }) => value?.slice(0, 60) },
            {
              id: 'text',
              header: 'What is wrong',
              grow: true,
              wrap: true,
              cell: ({ message }) => message,
            },
          ]}
        />
        {more > 0 && <p>and {formatCount(more)} more in the file of these rows</p>}
      </Notice>
      <Ways sheet={sheet} faults={faults} run={run} isStored={isStored} />
    </>
  )
}

function Ways({ sheet, faults, run, isStored }: RefusedProps) {
  const lines = new Set(faults.map(({ line }) => line))
  const final = faults.filter(({ code }) => code === 'row_final').map(({ line }) => line)
  const good = run.progress.at === 'tried' ? run.progress.trial.days.length : 0
  return (
    <div className={styles.actions}>
      {!isStored && good > 0 && (
        <Button look="primary" busy={run.isBusy} onClick={() => void run.storeRest()}>
          Import the other {rowsText(good)}
        </Button>
      )}
      <Button
        icon={<IconDownload aria-hidden />}
        onClick={() => saveText(rejectedCsv(sheet.file, faults), 'rows-to-mend.csv', 'text/csv')}
      >
        Save{' '}
        {lines.size === 1 ? 'the row with its reason' : `the ${rowsText(lines.size)} with reasons`}
      </Button>
      {final.length > 0 && (
        <Button busy={run.isBusy} onClick={() => void run.check(new Set(final))}>
          Correct{' '}
          {final.length === 1 ? 'the final day' : `the ${formatCount(final.length)} final days`}
        </Button>
      )}
    </div>
  )
}
