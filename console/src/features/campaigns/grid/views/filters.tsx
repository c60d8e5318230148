import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react'
import { Suspense } from 'react'
import { type Choice, choicesOf, nameOf } from '../../../../data/choices.ts'
import { many, useScreenState } from '../../../../data/search.ts'
import { useMay } from '../../../../session.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classes } from '../../../../ui/classes.ts'
import { Popover } from '../../../../ui/layers/popover.tsx'
import { lazyPart } from '../../../../ui/lazily.tsx'
import { Filters } from '../../../../ui/lists/filters.tsx'
import styles from './filters.module.css'
import { filtersIn, isFiltered } from './query.ts'

const CheckList = lazyPart(async () => {
  const { CheckList } = await import('../../../../ui/fields/check-list.tsx')
  return { default: CheckList }
})
const Chips = lazyPart(() => import('./chips.tsx'))
const MoreFilters = lazyPart(() => import('./more-filters.tsx'))

const statuses = choicesOf('CampaignStatus')
const pacings = choicesOf('PacingStatus')
const performances = choicesOf('PerformanceStatus')
const states = [
  { value: 'eligible', name: 'Eligible' },
  { value: 'not_eligible', name: 'Not eligible' },
]

/** Search and filters, all of them in the address. */
export function GridFilters({ toRows }: { toRows: () => void }) {
  const [search] = useScreenState()
  const mayReadPacing = useMay('listPacing')
  return (
    <Filters
      search="Search campaigns"
      others={filtersIn(search).filter((name) => name !== 'q')}
      toRows={toRows}
    >
      <Filter name="status" label="Status" choices={statuses} />
      <Filter name="delivery" label="Delivery" choices={states} />
      {mayReadPacing && <Filter name="pacing_status" label="Pacing" choices={pacings} />}
      <Filter name="target_status" label="Performance" choices={performances} />
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
      {/* A boundary of their own: the search keeps the focus while they load. */}
      <Suspense fallback={null}>{isFiltered(search) && <Chips />}</Suspense>
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
