import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { one, useSetSearch } from '../../../data/search.ts'
import { usePreferences } from '../../../data/stored/preferences.ts'
import { sayTrouble } from '../../../ui/layers/toast.tsx'
import { lazyDialog, lazyPart } from '../../../ui/lazily.tsx'
import { useIsNarrow } from '../../../ui/narrow.ts'
import { useTray } from '../../change-sets/tray.ts'
import type { BulkKind } from './bulk/dialog.tsx'
import type { EditableField } from './columns/column.ts'
import { type Entering, toSearch, useEntry } from './editing/entry.ts'
import { fixedColumns } from './editing/fixed-columns.tsx'
import { run } from './editing/run-action.ts'
import { useEditable } from './editing/use-editable.ts'
import { Foot } from './foot.tsx'
import styles from './grid.module.css'
import { Head } from './head.tsx'
import { type GridActs, onGridKey } from './keys.ts'
import type { Selection } from './rows/selection.ts'
import { GridStates } from './states.tsx'
import { GridTable } from './table.tsx'
import { type Grid, useGrid } from './use-grid.ts'
import { useColumns } from './views/use-columns.ts'
import { layoutOf, widthsOf, widthsText } from './views/widths.ts'

const BulkDialog = lazyDialog(() => import('./bulk/dialog.tsx'))
const CellEditor = lazyDialog(() => import('./editing/cell-editor.tsx'))
const PrintedRows = lazyPart(() => import('./rows/printed-rows.tsx'))
const Peek = lazyDialog(() => import('./peek.tsx'))
const SelectionActions = lazyPart(() => import('./rows/selection-actions.tsx'))

/** As `--row` in the tokens; with a line under the name where there is no room beside it. */
const rowHeights = { compact: 32, comfortable: 40 }
const narrowRowHeight = 56

type Editing = { id: string; field: EditableField }
type Bulk = { kind: BulkKind; ids: readonly string[] }

/** The grid under the filters: rows, their selection, and what is done to them. */
export function CampaignsGrid(entering: Entering) {
  const grid = useGrid()
  useEntry(grid, entering)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [bulk, setBulk] = useState<Bulk | null>(null)
  const { rows, selection, elsewhere } = grid
  const openBulk = (kind: BulkKind, ids: readonly string[] = [...selection.ids]) =>
    setBulk({ kind, ids })
  return (
    <>
      <Suspense fallback={null}>
        <PrintedRows grid={grid} />
      </Suspense>
      <div className={styles.frame}>
        <GridStates grid={rows}>
          <Table grid={grid} onEdit={setEditing} onBulk={openBulk} />
        </GridStates>
        <Foot
          total={rows.total}
          isEstimate={rows.isEstimate}
          isSimilar={rows.isSimilar}
          chosen={selection.ids.size}
          hidden={selection.hidden}
          changes={elsewhere.changes}
          onReload={elsewhere.reload}
          onClear={selection.clear}
          actions={
            <SelectionActions
              ids={selection.ids}
              rows={rows.rows}
              onBulk={(kind) => openBulk(kind)}
            />
          }
        />
        <Layers
          grid={grid}
          editing={editing}
          bulk={bulk}
          onClose={() => {
            setEditing(null)
            setBulk(null)
          }}
        />
      </div>
    </>
  )
}

type LayersProps = {
  grid: Grid
  editing: Editing | null
  bulk: Bulk | null
  onClose: () => void
}

/** Dialogs and panels above the rows. */
function Layers({ grid, editing, bulk, onClose }: LayersProps) {
  const close = () => {
    onClose()
    // Once what was open is gone: a dialog leaves the focus nowhere else.
    requestAnimationFrame(() => grid.handle.current.focus())
  }
  return (
    <Suspense>
      {editing && <Editor grid={grid} editing={editing} onClose={close} />}
      {bulk && <BulkDialog {...bulk} onSelect={grid.selection.only} onClose={close} />}
      <PeekAtRow grid={grid} />
    </Suspense>
  )
}

type TableProps = {
  grid: Grid
  onEdit: (editing: Editing) => void
  onBulk: (kind: BulkKind, ids: readonly string[]) => void
}

function Table({ grid, onEdit, onBulk }: TableProps) {
  const setSearch = useSetSearch()
  const { search, shown, rows, selection, elsewhere, handle, element } = grid
  const isAll = rows.rows.length > 0 && selection.shown === rows.rows.length
  const columns = useMemo(() => [...fixedColumns(isAll), ...shown], [isAll, shown])
  const layout = useColumns(shown, widthsOf(search), (next) =>
    setSearch({ widths: widthsText(next) }),
  )
  const sort = one(search.sort)
  const head = useCallback(
    (activeColumn: number) => (
      <Head
        columns={columns}
        headers={layout.headers}
        sort={sort}
        onSort={(next) => setSearch({ sort: next })}
        activeColumn={activeColumn}
      />
    ),
    [columns, layout.headers, sort, setSearch],
  )
  const isNarrow = useIsNarrow()
  const { density } = usePreferences()
  const acts = useActs(grid, { onEdit, onBulk, resize: layout.resize })
  return (
    <GridTable
      grid={rows}
      columns={columns}
      layout={layoutOf(layout.sizes)}
      rowHeight={isNarrow ? narrowRowHeight : rowHeights[density]}
      selected={selection.ids}
      deleted={elsewhere.deleted}
      head={head}
      handle={handle}
      element={element}
      onKey={(event, cursor) => onGridKey(event, cursor, acts)}
      onClick={(event, cell) => onGridClick(event, cell, { selection, isAll, acts })}
      onDoubleClick={({ column, index }) => acts.edit(index, column)}
    />
  )
}

type Doing = Pick<TableProps, 'onEdit' | 'onBulk'> & Pick<GridActs, 'resize'>

function useActs({ rows, selection }: Grid, { onEdit, onBulk, resize }: Doing): GridActs {
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const editable = useEditable()
  const tray = useTray()
  const rowAt = (index: number) => rows.rows[index]
  return {
    select: selection.toggle,
    extend: selection.extend,
    selectAll: selection.all,
    leave: () => (selection.ids.size > 0 ? selection.clear() : toSearch()),
    resize,
    open: (index) => {
      const id = rowAt(index)?.id
      if (id) void navigate({ to: '/campaigns/$id', params: { id } })
    },
    peek: (index) => setSearch({ peek: rowAt(index)?.id }),
    run: (index) => {
      const row = rowAt(index)
      if (row) void run(row, tray).catch(sayTrouble)
    },
    edit: (index, column) => {
      const row = rowAt(index)
      if (row) void editable(row, column).then((field) => field && onEdit({ id: row.id, field }))
    },
    budget: (index) => {
      const id = rowAt(index)?.id
      if (selection.ids.size > 0) onBulk('budget', [...selection.ids])
      else if (id) onBulk('budget', [id])
    },
  }
}

type EditorProps = { grid: Grid; editing: Editing; onClose: () => void }

function Editor({ grid: { rows, element }, editing: { id, field }, onClose }: EditorProps) {
  const row = rows.rows.find((each) => each.id === id)
  if (!row) return null
  return (
    <CellEditor
      row={row}
      field={field}
      grid={element}
      anchor={() =>
        element.current?.querySelector<HTMLElement>(
          `[data-row="${id}"] > [data-column="${field}"]`,
        ) ?? null
      }
      onClose={onClose}
    />
  )
}

function PeekAtRow({ grid: { search, rows, handle } }: { grid: Grid }) {
  const setSearch = useSetSearch()
  const id = one(search.peek)
  const at = id ? rows.rows.findIndex((row) => row.id === id) : -1
  const lookedAt = useRef(-1)
  useEffect(() => {
    // Once it is closed, which gives the focus back to the row that it began with.
    if (!id && lookedAt.current >= 0) handle.current.goTo(lookedAt.current)
    lookedAt.current = at
  }, [id, at, handle])
  if (!id) return null
  return (
    <Peek
      id={id}
      onStep={(by) => {
        const next = rows.rows[at + by]
        if (next) setSearch({ peek: next.id })
      }}
      onClose={() => setSearch({ peek: undefined })}
    />
  )
}

type Clicked = { selection: Selection; isAll: boolean; acts: GridActs }

function onGridClick(
  event: MouseEvent,
  { column, index }: { column: string; index: number },
  { selection, isAll, acts }: Clicked,
): void {
  const { shiftKey, ctrlKey, metaKey, target } = event
  if (!(target instanceof Element)) return
  if (index < 0) {
    if (column !== 'select') return
    if (isAll) selection.clear()
    else selection.all()
  } else if (shiftKey) {
    event.preventDefault()
    selection.extendTo(index)
  } else if (column === 'select') selection.toggle(index)
  else if ((ctrlKey || metaKey) && !target.closest('a')) selection.toggle(index)
  else if (target.closest('[data-edit]')) acts.edit(index, column)
  else if (column === 'run' && target.closest('button:not([aria-disabled])')) acts.run(index)
}
