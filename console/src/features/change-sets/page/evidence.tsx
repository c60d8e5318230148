import { formatMoney, formatNumber } from '../../../data/values/money.ts'
import { addDays, formatShortDate } from '../../../data/values/time.ts'
import { Soft } from '../../../ui/values/text.tsx'
import styles from '../change-sets.module.css'
import type { ChangeSetOperation } from '../queries.ts'
import type { Facts } from './changed-value.tsx'

type Evidence = NonNullable<ChangeSetOperation['evidence']>

/** The days that all evidence is about, said once; where zones differ in their day, the whole. */
export function EvidenceNote({ operations }: { operations: readonly ChangeSetOperation[] }) {
  const windows = operations.flatMap(({ evidence }) => evidence?.window ?? [])
  const from = windows.map((window) => window.from).sort()[0]
  const to = windows
    .map((window) => window.to)
    .sort()
    .at(-1)
  if (from === undefined || to === undefined) return null
  const days = `${formatShortDate(from)} – ${formatShortDate(addDays(to, -1))}`
  return <Soft>Beside each campaign: what was reported of its last 7 complete days, {days}.</Soft>
}

type BesideProps = Pick<ChangeSetOperation, 'client' | 'evidence'> & { facts: Facts | undefined }

/** The client of an edit, and the latest results of its campaign. */
export function Beside({ client, evidence, facts }: BesideProps) {
  const figures = evidence ? figuresOf(evidence, facts) : []
  if (client === null && figures.length === 0) return null
  return (
    <dl className={styles.beside}>
      {client !== null && (
        <div>
          <dt>Client</dt>
          <dd dir="auto">{client}</dd>
        </div>
      )}
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const none = '–'

function figuresOf({ spend_minor, conversions, cpa, roas }: Evidence, facts: Facts | undefined) {
  return [
    ['Spend', facts ? amount(spend_minor, facts) : none],
    ['Conversions', conversions === null ? none : formatNumber(`${conversions}`)],
    ['CPA', cpa === null || !facts ? none : amount(minorOf(cpa, facts), facts)],
    ['ROAS', roas === null ? none : roas.toFixed(2)],
  ] as const
}

const amount = (minor: number, { currency, currency_exponent: exponent }: Facts) =>
  formatMoney({ minor, currency, exponent })

const minorOf = (major: number, { currency_exponent }: Facts) =>
  Math.round(major * 10 ** currency_exponent)
