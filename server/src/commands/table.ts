/** Aligned columns under a header row. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}

/** Names and values in two columns. */
export const facts = (pairs: Readonly<Record<string, unknown>>): string =>
  table(
    ['', ''],
    Object.entries(pairs).map(([name, value]) => [name, String(value ?? '–')]),
  )
    .split('\n')
    .slice(1)
    .join('\n')
