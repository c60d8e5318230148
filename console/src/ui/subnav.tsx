import { Link } from '@tanstack/react-router'
import type { ScreenPath } from '../address.ts'
import styles from './subnav.module.css'

type SubNavProps = {
  /** The name for its screens together. */
  label: string
  screens: readonly { to: ScreenPath; name: string }[]
}

/** Screens that belong together, below the title of each. */
export const SubNav = ({ label, screens }: SubNavProps) => (
  <nav aria-label={label} className={styles.nav}>
    {screens.map(({ to, name }) => (
      <Link
        key={to}
        to={to}
        className={styles.link}
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
      >
        {name}
      </Link>
    ))}
  </nav>
)
