import { IconArrowRight } from '@tabler/icons-react'
import { nameOf } from '../../../data/choices.ts'
import styles from '../change-sets.module.css'
import type { ChangeSetOperation } from '../queries.ts'
import { ChangedValue, type Facts } from './changed-value.tsx'

type TriedProps = { operation: ChangeSetOperation; facts: Facts | undefined }

/** The values that a failing edit would have set, beside the present ones. */
export function Tried({ operation: { effect, op, body }, facts }: TriedProps) {
  const tried = effect === 'failed' ? Object.entries(body ?? {}) : []
  if (tried.length === 0) return null
  return (
    <dl className={styles.changes}>
      {tried.map(([field, value]) => (
        <div key={field}>
          <dt>{nameOf(field)}</dt>
          <dd className={styles.kept}>
            {op === 'update' && facts && Object.hasOwn(facts, field) && (
              <TriedValue field={field} value={Reflect.get(facts, field)} facts={facts} />
            )}
          </dd>
          <dd>
            <IconArrowRight aria-label="was to become" size={14} />
          </dd>
          <dd className={styles.tried}>
            <TriedValue field={field} value={value} facts={facts} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const amounts = ['daily_budget', 'lifetime_budget']

type ValueProps = { field: string; value: unknown; facts: Facts | undefined }

/** Amounts are as they were sent: they need not be whole minor units. */
const TriedValue = ({ field, value, facts }: ValueProps) =>
  facts && amounts.includes(field) && (typeof value === 'number' || typeof value === 'string') ? (
    `${facts.currency} ${value}`
  ) : (
    <ChangedValue field={field} value={value} facts={facts} />
  )
