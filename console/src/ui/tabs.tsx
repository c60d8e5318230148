import { Link } from '@tanstack/react-router'
import { one, type Search, useScreenState } from '../data/search.ts'
import styles from './tabs.module.css'

type Tab = { id: string; name: string }

/** The section of a screen that the address names; the first where it names none. */
export function useTab<Of extends Tab>(tabs: readonly Of[]): Of {
  const [search] = useScreenState()
  const [first] = tabs
  if (!first) throw new Error('A screen with sections has at least one')
  return tabs.find(({ id }) => id === one(search.tab)) ?? first
}

/** Sections of a screen, each with an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const current = useTab(tabs)
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ id, name }, at) => (
        <Link
          key={id}
          to="."
          search={(): Search => (at === 0 ? {} : { tab: id })}
          activeOptions={{ exact: true }}
          resetScroll={false}
          className={styles.tab}
          aria-current={id === current.id ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
