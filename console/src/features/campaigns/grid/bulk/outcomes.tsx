import { isProblem } from '@flightdeckhq/sdk'
import { type Column, Table } from '../../../../ui/lists/table.tsx'
import { detailOf } from '../../../../ui/problem.ts'
import { Money } from '../../../../ui/values/money.tsx'
import { Status } from '../../../../ui/values/status.tsx'
import { Soft } from '../../../../ui/values/text.tsx'
import styles from './bulk.module.css'
import { aspectOf, aspectText, type BulkChange } from './change.ts'
import type { Outcome } from './run-bulk.ts'
import { type Sum, sumsOf } from './use-bulk.ts'

type OutcomesProps = {
  change: BulkChange
  outcomes: readonly Outcome[]
  /** Faults of a request that was refused as a whole. */
  refused: ReadonlyMap<string, string>
  isDone: boolean
}

/** Before and after of each row, what is wrong first. */
export function Outcomes({ change, outcomes, refused, isDone }: OutcomesProps) {
  const aspect = aspectOf(change)
  const rows = [...outcomes].sort((a, b) => weightOf(a, refused) - weightOf(b, refused))
  return (
    <Table
      caption={isDone ? 'What was changed' : 'What would be changed'}
      rows={rows}
      columns={[
        {
          id: 'name',
          header: 'Campaign',
          wrap: true,
          cell: ({ before }) => before.name,
        },
        {
          id: 'before',
          header: 'Before',
          minor: true,
          cell: ({ before }) => aspectText(aspect, before),
        },
        {
          id: 'after',
          header: isDone ? 'Now' : 'After',
          cell: ({ after }) => (after ? aspectText(aspect, after) : <Soft>–</Soft>),
        },
        {
          id: 'outcome',
          header: 'Outcome',
          wrap: true,
          cell: (outcome) => (
            <OutcomeText outcome={outcome} refused={refused.get(outcome.id)} isDone={isDone} />
          ),
        },
      ]}
    />
  )
}

function weightOf({ id, problem, warnings, left }: Outcome, refused: ReadonlyMap<string, string>) {
  if (problem || refused.has(id)) return 0
  if (warnings.length > 0) return 1
  return left ? 3 : 2
}

type OutcomeTextProps = { outcome: Outcome; refused: string | undefined; isDone: boolean }

function OutcomeText({
  outcome: { problem, left, warnings, after },
  refused,
  isDone,
}: OutcomeTextProps) {
  const fault = problem ? detailOf(problem) : refused
  if (fault !== undefined) {
    return (
      <span className={styles.outcome}>
        <Status tone="bad">{isDone ? 'Failed' : 'Refused'}</Status> {fault}
      </span>
    )
  }
  if (left) {
    return (
      <span className={styles.outcome}>
        <Status tone="neutral">Stays</Status> {left}
      </span>
    )
  }
  if (isDone && after === null) return <Status tone="warn">Not sent</Status>
  return (
    <span className={styles.outcome}>
      <Status tone={warnings.length > 0 ? 'warn' : 'good'}>{isDone ? 'Changed' : 'Changes'}</Status>{' '}
      {warnings.join(' ')}
    </span>
  )
}

/** The sums of the change, by currency. */
export function Sums({ change, outcomes }: Pick<OutcomesProps, 'change' | 'outcomes'>) {
  const sums = sumsOf(change, outcomes)
  if (sums.length === 0) return null
  return (
    <Table
      caption="Sums by currency"
      rows={sums.map((sum) => ({ ...sum, id: sum.currency }))}
      columns={[...sumColumns, ...(aspectOf(change) === 'status' ? [dailyColumn] : budgetColumns)]}
    />
  )
}

const sumColumns: readonly Column<Sum>[] = [
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency },
  { id: 'count', header: 'Campaigns', align: 'end', minor: true, cell: ({ count }) => count },
]

const amount = ({ currency, exponent }: Sum, minor: number) => (
  <Money minor={minor} currency={currency} exponent={exponent} />
)

const dailyColumn: Column<Sum> = {
  id: 'daily',
  header: 'Daily budgets in all',
  align: 'end',
  cell: (sum) => amount(sum, sum.after),
}

const budgetColumns: readonly Column<Sum>[] = [
  {
    id: 'before',
    header: 'Before',
    align: 'end',
    minor: true,
    cell: (sum) => amount(sum, sum.before),
  },
  { id: 'after', header: 'After', align: 'end', cell: (sum) => amount(sum, sum.after) },
  {
    id: 'difference',
    header: 'Difference',
    align: 'end',
    cell: (sum) => (
      <>
        {sum.after > sum.before && '+'}
        {amount(sum, sum.after - sum.before)}
      </>
    ),
  },
]

export const breaksGuardrail = (error: unknown, outcomes: readonly Outcome[]): boolean =>
  isProblem(error, 'guardrail_violation') ||
  outcomes.some(({ problem }) => problem?.code === 'guardrail_violation')
