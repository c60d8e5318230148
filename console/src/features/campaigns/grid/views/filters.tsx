import { IconAdjustmentsHorizontal, IconChevronDown, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Choice, choicesOf, nameOf } from '../../../../data/choices.ts'
import { many, type Search, useScreenState } from '../../../../data/search.ts'
import { formatDay } from '../../../../data/values/time.ts'
import { useMay } from '../../../../session.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classes } from '../../../../ui/classes.ts'
import { Popover } from '../../../../ui/layers/popover.tsx'
import { lazyPart } from '../../../../ui/lazily.tsx'
import { Filters } from '../../../../ui/lists/filters.tsx'
import { profileNames } from '../../queries.ts'
import styles from './filters.module.css'
import { filterNames } from './query.ts'

const CheckList = lazyPart(async () => {
  const { CheckList } = await import('../../../../ui/fields/check-list.tsx')
  return { default: CheckList }
})
const MoreFilters = lazyPart(() => import('./more-filters.tsx'))

const statuses = choicesOf('CampaignStatus')
const pacings = choicesOf('PacingStatus')
const states = [
  { value: 'eligible', name: 'Eligible' },
  { value: 'not_eligible', name: 'Not eligible' },
]

/** Search and filters, all of them in the address. */
export function GridFilters({ toRows }: { toRows: () => void }) {
  const [search, setSearch] = useScreenState()
  const { data } = useQuery(profileNames)
  const mayReadPacing = useMay('listPacing')
  const chips = chipsOf(search, (id) => data?.get(id)?.name ?? id)
  return (
    <Filters
      search="Search campaigns"
      others={filterNames.filter((name) => name !== 'q')}
      toRows={toRows}
    >
      <Filter name="status" label="Status" choices={statuses} />
      <Filter name="delivery" label="Delivery" choices={states} />
      {mayReadPacing && <Filter name="pacing_status" label="Pacing" choices={pacings} />}
      <Popover
        label="More filters"
        trigger={
          <Button icon={<IconAdjustmentsHorizontal aria-hidden />} aria-haspopup="dialog">
            More filters
          </Button>
        }
      >
        {() => <MoreFilters />}
      </Popover>
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
    </Filters>
  )
}

type FilterProps = { name: string; label: string; choices: readonly Choice[] }

function Filter({ name, label, choices }: FilterProps) {
  const [search] = useScreenState()
  const chosen = many(search[name])
  const [first = ''] = chosen
  const more = chosen.length > 1 ? ` +${chosen.length - 1}` : ''
  return (
    <Popover
      label={label}
      trigger={
        <Button className={classes(chosen.length > 0 && styles.active)} aria-haspopup="dialog">
          {chosen.length > 0 ? `${label}: ${nameOf(first)}${more}` : label}
          <IconChevronDown aria-hidden />
        </Button>
      }
    >
      {() => <CheckList name={name} label={label} choices={choices} />}
    </Popover>
  )
}

type Chip = { text: string; without: Search }

/** The filters that no button of the bar shows. */
function chipsOf(search: Search, profileName: (id: string) => string): Chip[] {
  const lists = [
    ['delivery_reason', nameOf],
    ['objective', nameOf],
    ['profile_id', profileName],
    ['client', (client: string) => client],
    ['label', (label: string) => `Label ${label}`],
    ['currency', (currency: string) => currency],
    ['daily_budget_min', (amount: string) => `From ${amount} a day`],
    ['daily_budget_max', (amount: string) => `To ${amount} a day`],
    ['start_after', (time: string) => `Starts from ${dayText(time)}`],
    ['start_before', (time: string) => `Starts before ${dayText(time)}`],
    ['end_after', (time: string) => `Ends from ${dayText(time)}`],
    ['end_before', (time: string) => `Ends before ${dayText(time)}`],
    ['include_archived', () => 'Archived too'],
  ] as const
  return lists.flatMap(([name, textOf]) => {
    const values = many(search[name])
    return values.map((value) => {
      const left = values.filter((other) => other !== value)
      return { text: textOf(value), without: { [name]: left.length > 0 ? left : undefined } }
    })
  })
}

const dayText = (time: string): string => (Number.isNaN(Date.parse(time)) ? time : formatDay(time))
