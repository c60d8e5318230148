const none: ReadonlySet<string> = new Set()

/** A range of rows, which can shrink again, and what was chosen before it. */
type Range = { from: number; id: string | undefined; to: number; before: ReadonlySet<string> }

/** The chosen ones of the listed rows, and the range that the keyboard and Shift extend. */
export class ChosenRows {
  readonly #onChange: (ids: ReadonlySet<string>) => void
  #rows: readonly { id: string }[] = []
  #ids = none
  #range: Range | null = null
  #read = 0

  constructor(onChange: (ids: ReadonlySet<string>) => void) {
    this.#onChange = onChange
  }

  /** The same functions always, so that rows need not be drawn again. */
  readonly actions = {
    toggle: (index: number) => this.#toggle(index),
    /** From the row that was chosen last, at whatever end of the range it is. */
    extendTo: (to: number) => this.#reach(this.#current() ?? this.#rangeAt(to), to),
    /** From the row that the keyboard is at: starts a new range unless the old one ends there. */
    extend: (from: number, to: number) => {
      const before = this.#current()
      this.#reach(before?.to === from ? before : this.#rangeAt(from), to)
    },
    /** All that were read, and those that were chosen before. */
    all: () => this.#start(new Set([...this.#ids, ...this.#rows.map(({ id }) => id)])),
    only: (chosen: Iterable<string>) => this.#start(new Set(chosen)),
    clear: () => this.#start(none),
  }

  show(rows: readonly { id: string }[]): void {
    this.#rows = rows
  }

  /** A range that ends at rows not read yet takes them as they are. */
  onRead(count: number): void {
    if (count < this.#read) this.#range = null
    else if (this.#range && Math.max(this.#range.from, this.#range.to) >= this.#read)
      this.#reach(this.#range, this.#range.to)
    this.#read = count
  }

  #set(next: ReadonlySet<string>): void {
    this.#ids = next
    this.#onChange(next)
  }

  #start(next: ReadonlySet<string>): void {
    this.#range = null
    this.#set(next)
  }

  #toggle(index: number): void {
    const next = new Set(this.#ids)
    for (const id of this.#idsOf(index, index)) if (!next.delete(id)) next.add(id)
    this.#set(next)
    this.#range = this.#rangeAt(index)
  }

  #reach({ from, id = this.#idAt(from), before }: Range, to: number): void {
    this.#range = { from, id, to, before }
    this.#set(new Set([...before, ...this.#idsOf(from, to)]))
  }

  /** Begins at the same row, wherever that stands in the list now. */
  #current(): Range | null {
    const range = this.#range
    if (!range || range.id === undefined || this.#idAt(range.from) === range.id) return range
    const from = this.#rows.findIndex(({ id }) => id === range.id)
    return from < 0 ? null : this.#rangeAt(from)
  }

  #rangeAt(from: number): Range {
    return { from, id: this.#idAt(from), to: from, before: this.#ids }
  }

  #idAt(row: number): string | undefined {
    return this.#rows[row]?.id
  }

  #idsOf(one: number, other: number): readonly string[] {
    return this.#rows
      .slice(Math.max(0, Math.min(one, other)), Math.max(one, other) + 1)
      .map(({ id }) => id)
  }
}
