import { IconRefresh } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { formatCount } from '../../../data/values/numbers.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import styles from './grid.module.css'

type FootProps = {
  total: number
  isEstimate: boolean
  /** None has the words of the search: these have similar ones. */
  isSimilar: boolean
  chosen: number
  /** Chosen rows that this list does not show. */
  hidden: number
  changes: number
  onReload: () => void
  onClear: () => void
  /** Actions on the chosen rows. */
  actions: ReactNode
}

/** Always there, so that nothing moves when rows are chosen or have changed. */
export const Foot = ({ chosen, changes, onReload, onClear, actions, ...all }: FootProps) => (
  <div className={styles.foot} data-foot>
    <span role="status" className={classes(styles.count, chosen > 0 && styles.chosen)}>
      {chosen > 0 ? chosenText({ chosen, ...all }) : `${totalText(all)} ${nounOf(all)}`}
    </span>
    <Suspense>{chosen > 0 && actions}</Suspense>
    {chosen > 0 && (
      <Button small look="quiet" onClick={onClear}>
        Clear selection
      </Button>
    )}
    <span className={styles.space} />
    <span role="status">
      {changes > 0 && (
        <Button small icon={<IconRefresh aria-hidden />} onClick={onReload}>
          {changes === 1 ? '1 change, reload' : `${formatCount(changes)} changes, reload`}
        </Button>
      )}
    </span>
  </div>
)

const nounOf = ({ total, isSimilar }: Pick<FootProps, 'total' | 'isSimilar'>) =>
  `${isSimilar ? 'similar ' : ''}${total === 1 ? 'campaign' : 'campaigns'}`

type All = Pick<FootProps, 'total' | 'isEstimate' | 'isSimilar' | 'hidden'>

const totalText = ({ total, isEstimate }: Omit<All, 'hidden' | 'isSimilar'>) =>
  isEstimate ? `About ${formatCount(total)}` : formatCount(total)

const chosenText = ({ chosen, hidden, ...all }: All & Pick<FootProps, 'chosen'>) =>
  hidden > 0
    ? `${formatCount(chosen)} selected, ${formatCount(hidden)} hidden`
    : `${formatCount(chosen)} of ${totalText(all).toLowerCase()} selected`
