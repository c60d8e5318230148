import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../../../data/choices.ts'
import { many, type Search, useScreenState } from '../../../../data/search.ts'
import { formatDay } from '../../../../data/values/time.ts'
import { profileNames } from '../../queries.ts'
import styles from './filters.module.css'
import { metrics, nameOfMetric } from './metrics.ts'

/** The filters that no button of the bar shows, each with a way to take it off. */
export default function Chips() {
  const [search, setSearch] = useScreenState()
  const { data } = useQuery(profileNames)
  const chips = chipsOf(search, (id) => data?.get(id)?.name ?? id)
  return (
    <>
      {chips.map(({ text, without }) => (
        <button
          key={text}
          type="button"
          aria-label={`Remove the filter ${text}`}
          className={styles.chip}
          onClick={() => setSearch(without)}
        >
          <span className={styles.chipText}>{text}</span>
          <IconX aria-hidden />
        </button>
      ))}
    </>
  )
}

type Chip = { text: string; without: Search }

function chipsOf(search: Search, profileName: (id: string) => string): Chip[] {
  const lists: (readonly [name: string, textOf: (value: string) => string])[] = [
    ['delivery_reason', nameOf],
    ['deployment_state', (state: string) => `On network: ${nameOf(state)}`],
    ['objective', nameOf],
    ['profile_id', profileName],
    ['client', (client: string) => client],
    ['label', (label: string) => `Label ${label}`],
    ['currency', (currency: string) => currency],
    ['daily_budget_min', (amount: string) => `From ${amount} a day`],
    ['daily_budget_max', (amount: string) => `To ${amount} a day`],
    ...metrics.flatMap((metric) => metricBounds(metric)),
    ['start_after', (time: string) => `Starts from ${dayText(time)}`],
    ['start_before', (time: string) => `Starts before ${dayText(time)}`],
    ['end_after', (time: string) => `Ends from ${dayText(time)}`],
    ['end_before', (time: string) => `Ends before ${dayText(time)}`],
    ['include_archived', () => 'Archived too'],
  ]
  return lists.flatMap(([name, textOf]) => {
    const values = many(search[name])
    return values.map((value) => {
      const left = values.filter((other) => other !== value)
      return { text: textOf(value), without: { [name]: left.length > 0 ? left : undefined } }
    })
  })
}

const metricBounds = (metric: string) => [
  [`metric.${metric}_min`, (bound: string) => `${nameOfMetric(metric)} from ${bound}`] as const,
  [`metric.${metric}_max`, (bound: string) => `${nameOfMetric(metric)} to ${bound}`] as const,
]

const dayText = (time: string): string => (Number.isNaN(Date.parse(time)) ? time : formatDay(time))
