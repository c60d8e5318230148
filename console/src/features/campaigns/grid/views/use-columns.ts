import {
  type ColumnSizingState,
  columnResizingFeature,
  columnSizingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useEffect, useMemo, useState } from 'react'
import type { GridColumn } from '../columns/column.ts'
import { inBounds, narrowest, type Widths, widest } from './widths.ts'

const features = tableFeatures({ columnResizingFeature, columnSizingFeature })
export type Features = typeof features

/** The table knows the columns; the rows go their own way, as there are ten thousand. */
const noRows: object[] = []

/** Widths of the columns, and how their edges are drawn. */
export function useColumns(
  shown: readonly GridColumn[],
  widths: Widths,
  onWidths: (widths: Widths) => void,
) {
  const [sizing, setSizing] = useState<ColumnSizingState>(widths)
  const inAddress = JSON.stringify(widths)
  useEffect(() => setSizing(JSON.parse(inAddress)), [inAddress])
  const definitions = useMemo(
    () => shown.map(({ id, width }) => ({ id, size: width, minSize: narrowest, maxSize: widest })),
    [shown],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    columnResizeMode: 'onChange',
    state: { columnSizing: sizing },
    onColumnSizingChange: setSizing,
  })
  const { isResizingColumn } = table.state.columnResizing
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when an edge is let go.
  useEffect(() => {
    if (isResizingColumn === false && JSON.stringify(sizing) !== inAddress)
      onWidths(rounded(sizing))
  }, [isResizingColumn])
  const headers = table.getFlatHeaders()
  return {
    headers: new Map(headers.map((header) => [header.column.id, header])),
    /** The widths for the tracks of the grid. */
    sizes: headers.map((header) => ({
      id: header.column.id,
      width: header.getSize(),
      isOwn: sizing[header.column.id] !== undefined,
    })),
    resize: (id: string, by: number) => {
      const header = headers.find(({ column }) => column.id === id)
      if (header) onWidths(rounded({ ...sizing, [id]: header.getSize() + by }))
    },
  }
}

const rounded = (sizing: ColumnSizingState): Widths =>
  Object.fromEntries(Object.entries(sizing).map(([id, width]) => [id, inBounds(width)]))
