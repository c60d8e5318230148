import { useEffect, useMemo, useState } from 'react'
import { type FormValues, keepDraft, readDraft } from '../../data/drafts.ts'

type FormOptions<Of extends FormValues> = {
  /** The key under which unsent edits are kept over a reload. */
  draft: string | null
  /** Values that are never kept. */
  secrets?: readonly (keyof Of & string)[]
  initial: Of
  /** The version that the edits are based on. */
  version?: number | null
  /** Refuses values before anything is sent, by the pointer of their field. */
  check?: (values: Of) => ReadonlyMap<string, string>
}

/** The state of a field: its value, how to change it, and its fault. */
export type FieldState<Value> = {
  name: string
  value: Value
  onChange(value: Value): void
  fault: string | undefined
}

export type Form<Of extends FormValues> = {
  values: Of
  /** The stored values, below the edits. */
  initial: Of
  /** Only what differs from what is stored: nothing else is sent. */
  changes: Partial<Of>
  isChanged: boolean
  version: number | null
  /** Whether edits of an earlier visit were found. */
  isRestored: boolean
  field<Name extends keyof Of & string>(name: Name): FieldState<Of[Name]>
  set(changes: Partial<Of>): void
  setFaults(faults: ReadonlyMap<string, string>): void
  faults: ReadonlyMap<string, string>
  /** Whether it is refused before anything is sent. */
  isDoubtful: boolean
  /** Keeps the edits, on top of what is stored now. */
  rebase(initial: Of, version: number | null): void
  /** Drops the edits. */
  reset(): void
}

const none: readonly string[] = []
const noFaults: ReadonlyMap<string, string> = new Map()
const nothingDoubtful = () => noFaults

/** The state of a form. Values have the shape of the API; fields translate for people. */
export function useForm<Of extends FormValues>({
  draft,
  secrets = none,
  initial,
  version = null,
  check = nothingDoubtful,
}: FormOptions<Of>): Form<Of> {
  const [base, setBase] = useState({ initial, version })
  const [restored] = useState(() => readDraft(draft, version))
  const [edits, setEdits] = useState<Partial<Of>>(() => (restored ?? {}) as Partial<Of>)
  const [refused, setFaults] = useState(noFaults)
  const values = useMemo(() => ({ ...base.initial, ...edits }), [base, edits])
  const changes = useMemo(() => differing(base.initial, edits), [base, edits])
  const doubts = check(values)
  const faults = doubts.size === 0 ? refused : new Map([...refused, ...doubts])
  const isChanged = Object.keys(changes).length > 0
  useEffect(() => {
    if (draft === null) return
    const kept = Object.entries(changes).filter(([name]) => !secrets.includes(name))
    const edited = kept.length > 0 && { version: base.version, changes: Object.fromEntries(kept) }
    keepDraft(draft, edited || null)
  }, [draft, secrets, changes, base])

  const set = (more: Partial<Of>) => {
    setEdits((before) => ({ ...before, ...more }))
    setFaults((before) => withoutFaultsOf(more, before))
  }
  return {
    values,
    initial: base.initial,
    changes,
    isChanged,
    isDoubtful: doubts.size > 0,
    version: base.version,
    isRestored: restored !== null && isChanged,
    faults,
    set,
    setFaults,
    field: (name) => ({
      name,
      value: values[name],
      onChange: (value) => set({ [name]: value } as unknown as Partial<Of>),
      fault: faultOf(faults, name),
    }),
    rebase: (next, nextVersion) => setBase({ initial: next, version: nextVersion }),
    reset: () => {
      setEdits({})
      // At once: the form may go before its effects run.
      if (draft !== null) keepDraft(draft, null)
    },
  }
}

/** An edit answers the faults of its fields. */
const withoutFaultsOf = (edits: FormValues, faults: ReadonlyMap<string, string>) =>
  new Map([...faults].filter(([pointer]) => !Object.hasOwn(edits, pointer.split('/')[1] ?? '')))

/** The fault of a field or of anything in it. */
function faultOf(faults: ReadonlyMap<string, string>, name: string): string | undefined {
  for (const [pointer, message] of faults)
    if (pointer === `/${name}` || pointer.startsWith(`/${name}/`)) return message
  return undefined
}

const differing = <Of extends FormValues>(initial: Of, edits: Partial<Of>): Partial<Of> =>
  Object.fromEntries(
    Object.entries(edits).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name]),
    ),
  ) as Partial<Of>
