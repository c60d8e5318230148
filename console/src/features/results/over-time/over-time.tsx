import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { Notice, ReadFailed } from '../../../ui/notice.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { type Choices, ChooseHow, useChoices } from './choices.tsx'
import styles from './over-time.module.css'
import { PlotOf } from './plot.tsx'
import { pointsOf } from './points.ts'
import { type Chosen, currenciesQuery, daysQuery, platformsQuery } from './queries.ts'
import type { Unit } from './words.ts'

type OverTimeProps = Chosen & {
  /** Stands there while nothing was reported and nothing is planned. */
  empty?: string
}

/** Spending against its plan, conversions and their cost, over time. */
export default function OverTime({ days, filters, empty }: OverTimeProps) {
  const currencies = useQuery(currenciesQuery({ days, filters }))
  const { data: units = [], error, refetch } = currencies
  const choices = useChoices(units)
  if (error) return <ReadFailed error={error} retry={() => void refetch()} />
  if (currencies.isPending) return <Skeleton rows={6} />
  if (choices.unit === null) return empty ? <Soft>{empty}</Soft> : null
  return (
    <div className={styles.whole}>
      <ChooseHow choices={choices} units={units} days={days} />
      <Days chosen={{ days, filters }} choices={choices} unit={choices.unit} units={units} />
    </div>
  )
}

type DaysProps = { chosen: Chosen; choices: Choices; unit: Unit; units: readonly Unit[] }

function Days({ chosen, choices, unit, units }: DaysProps) {
  const asked = { ...chosen, currency: unit.currency }
  const days = useQuery(daysQuery({ ...asked, compare: choices.compare }))
  const parts = useQuery({ ...platformsQuery(asked), enabled: choices.isSplit })
  const error = days.error ?? parts.error
  if (error) {
    const retry = () => void Promise.all([days.refetch(), choices.isSplit && parts.refetch()])
    return <ReadFailed error={error} retry={retry} />
  }
  const shown = units.find(({ currency }) => currency === days.data?.currency)
  if (!days.data || !shown) return <Skeleton rows={6} />
  // Parts of what was shown before would be parts of something else.
  const platforms = choices.isSplit && !days.isPlaceholderData ? (parts.data ?? []) : []
  const points = pointsOf(days.data.rows, choices.step)
  return (
    <>
      {!days.data.isPlanned && choices.measure === 'spend' && (
        <Notice title="The plan is not shown: it is made for at most 2,000 campaigns and 100,000 of their days, not for a single source." />
      )}
      <PlotOf points={points} platforms={platforms} choices={choices} unit={shown} />
    </>
  )
}
