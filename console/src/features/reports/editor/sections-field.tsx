import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import type { FieldState } from '../../../ui/fields/form.ts'
import fieldStyles from '../../../ui/fields.module.css'
import { sectionNames } from '../words.ts'
import styles from './editor.module.css'
import type { ReportValues } from './values.ts'

type Sections = ReportValues['sections']
type Kind = Sections[number]

const isKind = (name: string): name is Kind => name in sectionNames
const allKinds: readonly Kind[] = Object.keys(sectionNames).filter(isKind)

/** The parts of a report: each switched on or off, and moved up or down. */
export function SectionsField({ value, onChange, fault }: FieldState<Sections>) {
  const id = useId()
  const [order, setOrder] = useState<readonly Kind[]>(() => [
    ...value,
    ...allKinds.filter((kind) => !value.includes(kind)),
  ])
  const give = (next: readonly Kind[], chosen: readonly Kind[]) => {
    setOrder(next)
    onChange(next.filter((kind) => chosen.includes(kind)))
  }
  const toggle = (kind: Kind) =>
    give(order, value.includes(kind) ? value.filter((each) => each !== kind) : [...value, kind])
  const move = (at: number, step: number) => {
    const [one, other] = [order[at], order[at + step]]
    if (one === undefined || other === undefined) return
    give(order.with(at, other).with(at + step, one), value)
  }
  return (
    <fieldset className={fieldStyles.field}>
      <legend className={fieldStyles.label}>Sections</legend>
      <ol className={styles.sections}>
        {order.map((kind, at) => (
          <li key={kind} className={styles.section}>
            <div className={fieldStyles.check}>
              <input
                id={`${id}-${kind}`}
                type="checkbox"
                checked={value.includes(kind)}
                onChange={() => toggle(kind)}
              />
              <label htmlFor={`${id}-${kind}`}>{sectionNames[kind]}</label>
            </div>
            <Mover kind={kind} at={at} last={order.length - 1} move={move} />
          </li>
        ))}
      </ol>
      {fault && <span className={fieldStyles.fault}>{fault}</span>}
    </fieldset>
  )
}

type MoverProps = {
  kind: Kind
  at: number
  last: number
  move: (at: number, step: number) => void
}

const Mover = ({ kind, at, last, move }: MoverProps) => (
  <>
    <IconButton
      small
      name={`Move ${sectionNames[kind]} up`}
      blocked={at === 0 ? 'It is the first.' : null}
      icon={<IconArrowUp aria-hidden />}
      onClick={() => move(at, -1)}
    />
    <IconButton
      small
      name={`Move ${sectionNames[kind]} down`}
      blocked={at === last ? 'It is the last.' : null}
      icon={<IconArrowDown aria-hidden />}
      onClick={() => move(at, 1)}
    />
  </>
)
