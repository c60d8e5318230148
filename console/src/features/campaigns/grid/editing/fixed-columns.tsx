import { IconClockPlay, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { IconButton } from '../../../../ui/button.tsx'
import { useTray } from '../../../change-sets/tray.ts'
import { actionWords } from '../../acting/action-words.ts'
import { actionBlocked } from '../../reasons.ts'
import type { GridColumn, GridRow } from '../columns/column.ts'
import { runActionOf, waitsToStart } from './run-action.ts'

/** Columns before those that people choose. The grid hears their clicks. */
export const fixedColumns = (isAll: boolean): readonly GridColumn[] => [
  {
    id: 'select',
    header: 'Select',
    width: 36,
    fields: [],
    isControl: true,
    head: (tabIndex) => (
      <input
        type="checkbox"
        aria-label="Select all rows that are loaded"
        tabIndex={tabIndex}
        checked={isAll}
        readOnly
      />
    ),
    cell: ({ name }, { tabIndex, isSelected }) => (
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        tabIndex={tabIndex}
        checked={isSelected}
        readOnly
      />
    ),
  },
  {
    id: 'run',
    header: 'Run',
    width: 40,
    fields: [],
    isControl: true,
    head: (tabIndex) => (
      <span tabIndex={tabIndex} className="visually-hidden">
        Run
      </span>
    ),
    cell: (row, { tabIndex }) => <RunButton row={row} tabIndex={tabIndex} />,
  },
]

function RunButton({ row, tabIndex }: { row: GridRow; tabIndex: 0 | -1 }) {
  const action = runActionOf(row)
  if (waitsToStart(useTray(), row)) {
    const icon = <IconClockPlay aria-hidden />
    const name = `Do not start ${row.name}: it waits to be published`
    return <IconButton small name={name} icon={icon} tabIndex={tabIndex} />
  }
  return (
    <IconButton
      small
      name={`${actionWords[action].verb} ${row.name}`}
      icon={action === 'pause' ? <IconPlayerPause aria-hidden /> : <IconPlayerPlay aria-hidden />}
      blocked={actionBlocked(row, action)}
      tabIndex={tabIndex}
    />
  )
}
