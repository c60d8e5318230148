import { setPreferences, usePreferences } from '../data/stored/preferences.ts'
import { CheckField } from '../ui/fields/fields.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import styles from './keys.module.css'
import { inbox } from './navigation.ts'
import { useScreens } from './use-screens.ts'

const everywhere = [
  ['Ctrl K or ⌘K', 'Find or do anything'],
  ['Ctrl P or ⌘P', 'Print the whole list'],
  ['/', 'Search in this list'],
  ['?', 'This help'],
  ['g n', 'Show all clients again'],
  ['Esc', 'Close what is open'],
] as const

const inGrid = [
  ['j k or ↓ ↑', 'Next or previous row; j k x enter the grid from anywhere'],
  ['x or Shift Space', 'Select the row'],
  ['Shift ↓ ↑', 'Select further rows, or fewer; with Page Down and Up as well'],
  ['Ctrl Shift Home End', 'Select all rows up to the first or the last'],
  ['Ctrl A or ⌘A', 'Select all that are loaded'],
  ['Space', 'Look at the row'],
  ['Enter', 'Open the row; in the search, go to the first one'],
  ['Esc', 'Clear the selection; then back to the search'],
  ['e or F2', 'Edit the cell'],
  ['Shift ← →', 'In the head: width of the column'],
  ['p', 'Pause; or launch or resume with the next publishing'],
  ['b', 'Change the budget of the selection'],
] as const

/** The keys that do something, by where they do. */
export default function Keys({ onClose }: { onClose: () => void }) {
  const screens = useScreens().flatMap((group) => group.screens)
  const { singleKeys } = usePreferences()
  const goTo = [...screens, inbox].map(({ keys, name }) => [keys, name] as const)
  return (
    <Dialog title="Keyboard" wide onClose={onClose}>
      <div className={styles.groups}>
        <KeyList title="Everywhere" keys={everywhere} />
        <KeyList title="In the campaigns grid" keys={inGrid} />
        <KeyList title="Go to" keys={goTo} />
      </div>
      <CheckField
        label="Single keys"
        hint="Off, letters and / do nothing by themselves; arrows, Enter, F2 and Ctrl keys still do."
        name="single_keys"
        fault={undefined}
        value={singleKeys === 'on'}
        onChange={(isOn) => setPreferences({ singleKeys: isOn ? 'on' : 'off' })}
      />
    </Dialog>
  )
}

type KeyListProps = { title: string; keys: readonly (readonly [string, string])[] }

const KeyList = ({ title, keys }: KeyListProps) => (
  <section className={styles.group}>
    <h3>{title}</h3>
    <dl className={styles.keys}>
      {keys.map(([key, what]) => (
        <div key={key} className={styles.key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </section>
)
