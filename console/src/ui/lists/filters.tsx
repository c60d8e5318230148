import { IconSearch, IconX } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { Choice } from '../../data/choices.ts'
import { one, type Search, useScreenState } from '../../data/search.ts'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import fieldStyles from '../fields.module.css'
import { lazyPart } from '../lazily.tsx'
import type { DatedFilter } from './dated-filters.tsx'
import styles from './filters.module.css'

const DatedFilters = lazyPart(() => import('./dated-filters.tsx'))

export type Filter = { name: string; label: string; choices: readonly Choice[] }

/** Typed as it is; known values may be suggested. */
type TextFilter = { name: string; label: string; suggestions?: readonly string[] }
export type FiltersProps = {
  /** The fields that the search box looks through; no box without. */
  search?: string
  filters?: readonly Filter[]
  texts?: readonly TextFilter[]
  times?: readonly DatedFilter[]
  dates?: readonly DatedFilter[]
  /** Names in the address that the children filter by. */
  others?: readonly string[]
  /** Called where one goes on from the search to what it finds. */
  toRows?: () => void
  children?: ReactNode
}

/** Search and filters of a list, kept in the address. */
export function Filters(props: FiltersProps) {
  const { search: label, filters = [], texts = [], times = [], dates = [] } = props
  const { toRows = toFirstLink, children } = props
  return (
    <search className={styles.filters}>
      {label && <SearchBox label={label} toRows={toRows} />}
      {filters.map((filter) => (
        <ChoiceBox key={filter.name} {...filter} />
      ))}
      {texts.map((text) => (
        <TextBox key={text.name} {...text} />
      ))}
      <Suspense>
        {times.length > 0 && <DatedFilters filters={times} type="datetime-local" />}
      </Suspense>
      {children}
      <Suspense>{dates.length > 0 && <DatedFilters filters={dates} type="date" />}</Suspense>
      <Clear {...props} />
    </search>
  )
}

/** The names in the address that narrow the list. */
function namesOf(props: FiltersProps): readonly string[] {
  const { filters = [], texts = [], times = [], dates = [], others = [] } = props
  const boxes = [...filters, ...texts, ...times, ...dates]
  return ['q', ...boxes.map(({ name }) => name), ...others]
}

/** Whether anything narrows the list. */
export const isFilteredBy = (filters: FiltersProps, search: Search): boolean =>
  namesOf(filters).some((name) => search[name] !== undefined)

function Clear(props: FiltersProps) {
  const [search, setSearch] = useScreenState()
  if (!isFilteredBy(props, search)) return null
  return (
    <Button
      look="quiet"
      icon={<IconX aria-hidden />}
      onClick={() => setSearch(Object.fromEntries(namesOf(props).map((name) => [name, undefined])))}
    >
      Clear
    </Button>
  )
}

function ChoiceBox({ name, label, choices }: Filter) {
  const [search, setSearch] = useScreenState()
  return (
    <select
      aria-label={label}
      className={classes(fieldStyles.input, styles.select, search[name] && styles.active)}
      value={one(search[name]) ?? ''}
      onChange={({ target }) => setSearch({ [name]: target.value || undefined })}
    >
      <option value="">{label}: any</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {label}: {choice.name}
        </option>
      ))}
    </select>
  )
}

/** A part of the 150 ms from the last key to the rows: earlier requests of the same word are dropped. */
const typingPauseMs = 50

const toFirstLink = () => document.querySelector<HTMLElement>('main tbody :is(a, button)')?.focus()

type Typed = { typed: string; setTyped: (typed: string) => void; send: () => void }

/** A text that goes to the address after a pause, or when it is sent. */
function useTyped(name: string): Typed {
  const [search, setSearch] = useScreenState()
  const inAddress = one(search[name]) ?? ''
  const [typed, setTyped] = useState(inAddress)
  const sent = useRef(inAddress)
  useEffect(() => {
    // Back, a link or "Clear" changed it, not the typing.
    if (inAddress !== sent.current) setTyped(inAddress)
    sent.current = inAddress
  }, [inAddress])
  const send = () => {
    if (typed === sent.current) return
    sent.current = typed
    setSearch({ [name]: typed || undefined })
  }
  useEffect(() => {
    if (typed === sent.current) return undefined
    const timer = setTimeout(send, typingPauseMs)
    return () => clearTimeout(timer)
  })
  return { typed, setTyped, send }
}

function SearchBox({ label, toRows }: { label: string; toRows: () => void }) {
  const { typed, setTyped, send } = useTyped('q')
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !/^(?:Enter|ArrowDown)$/.test(event.key)) return
    event.preventDefault()
    send()
    toRows()
  }
  return (
    <div className={styles.search}>
      <IconSearch aria-hidden size={16} />
      <input
        type="search"
        data-search-box
        aria-label={label}
        placeholder={label}
        className={fieldStyles.input}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKey}
      />
    </div>
  )
}

function TextBox({ name, label, suggestions = [] }: TextFilter) {
  const { typed, setTyped } = useTyped(name)
  const listId = useId()
  return (
    <>
      <input
        aria-label={label}
        placeholder={`${label}: any`}
        list={listId}
        className={classes(fieldStyles.input, styles.text, typed && styles.active)}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <datalist id={listId}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}
