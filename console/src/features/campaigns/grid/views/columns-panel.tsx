import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useId } from 'react'
import { useScreenState } from '../../../../data/search.ts'
import { useSession } from '../../../../session.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import fieldStyles from '../../../../ui/fields.module.css'
import { columns as all } from '../columns/columns.tsx'
import styles from './columns-panel.module.css'
import { columnsFor, columnsOf, presetOf, presets } from './view.ts'
import { inBounds, widthsOf, widthsText } from './widths.ts'

/** Chooses columns, their order and their widths: by keyboard and by numbers. */
export default function ColumnsPanel() {
  const [search, setSearch] = useScreenState()
  const { role } = useSession().user
  const shown = columnsOf(search, role).map(({ id }) => id)
  const hidden = columnsFor(role)
    .filter(({ id }) => !shown.includes(id))
    .map(({ id }) => id)
  const show = (ids: readonly string[]) =>
    setSearch({ columns: ids.filter((id) => id !== 'name').join(',') || 'status' })
  const toggle = (id: string) =>
    show(shown.includes(id) ? shown.filter((each) => each !== id) : [...shown, id])
  const move = (id: string, by: number) => {
    const at = shown.indexOf(id)
    const rest = shown.filter((each) => each !== id)
    show([...rest.slice(0, at + by), id, ...rest.slice(at + by)])
  }
  return (
    <div className={styles.panel}>
      <Presets />
      <ul className={styles.list}>
        {[...shown, ...hidden].map((id, at) => (
          <Line
            key={id}
            id={id}
            isShown={at < shown.length}
            isFirst={at <= 1}
            isLast={at === shown.length - 1}
            onToggle={() => toggle(id)}
            onMove={(by) => move(id, by)}
          />
        ))}
      </ul>
      <Button
        small
        blocked={search.columns || search.widths ? null : 'These are the usual ones.'}
        onClick={() => setSearch({ columns: undefined, widths: undefined })}
      >
        Usual columns and widths
      </Button>
    </div>
  )
}

function Presets() {
  const [search, setSearch] = useScreenState()
  const preset = presetOf(search).id
  return (
    <fieldset className={styles.presets}>
      <legend>Columns for</legend>
      {presets.map(({ id, name }) => (
        <Button
          key={id}
          small
          aria-pressed={search.columns === undefined && preset === id}
          onClick={() =>
            setSearch({ preset: id === 'delivery' ? undefined : id, columns: undefined })
          }
        >
          {name}
        </Button>
      ))}
    </fieldset>
  )
}

type LineProps = {
  id: string
  isShown: boolean
  isFirst: boolean
  isLast: boolean
  onToggle: () => void
  onMove: (by: number) => void
}

function Line({ id, isShown, isFirst, isLast, onToggle, onMove }: LineProps) {
  const inputId = useId()
  const { header, width } = all.find((column) => column.id === id) ?? { header: id, width: 0 }
  return (
    <li className={styles.line}>
      <input
        id={inputId}
        type="checkbox"
        checked={isShown}
        disabled={id === 'name'}
        onChange={onToggle}
      />
      <label htmlFor={inputId}>{header}</label>
      {isShown && <Width id={id} header={header} usual={width} />}
      {isShown && id !== 'name' && (
        <>
          <IconButton
            small
            name={`Move ${header} to the left`}
            icon={<IconArrowUp aria-hidden />}
            blocked={isFirst ? 'It is the first.' : null}
            onClick={() => onMove(-1)}
          />
          <IconButton
            small
            name={`Move ${header} to the right`}
            icon={<IconArrowDown aria-hidden />}
            blocked={isLast ? 'It is the last.' : null}
            onClick={() => onMove(1)}
          />
        </>
      )}
    </li>
  )
}

function Width({ id, header, usual }: { id: string; header: string; usual: number }) {
  const [search, setSearch] = useScreenState()
  const widths = widthsOf(search)
  return (
    <input
      // Another width from elsewhere is shown too.
      key={widths[id]}
      type="number"
      aria-label={`Width of ${header} in pixels`}
      className={fieldStyles.input}
      step={10}
      defaultValue={widths[id] ?? usual}
      onBlur={({ target }) => {
        const width = inBounds(Number(target.value) || usual)
        if (width !== (widths[id] ?? usual))
          setSearch({ widths: widthsText({ ...widths, [id]: width }) })
      }}
    />
  )
}
