import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useDebounced } from '../../data/debounced.ts'
import { listKey, objectKey } from '../../data/keys.ts'
import type { Kind } from '../../kinds.ts'
import styles from '../fields.module.css'
import { Field, type Labelled } from './field.tsx'
import type { FieldState } from './form.ts'
import { type Named, ObjectChoices } from './object-choices.tsx'

type ObjectFieldProps<Of extends Named> = Labelled &
  Omit<FieldState<string | null>, 'onChange'> & {
    kind: Kind
    /** The first of those that match what is typed. */
    find: (typed: string | undefined) => PromiseLike<{ data: Of[] }>
    get: (id: string) => PromiseLike<Of>
    /** Beside its name, for those of the same name. */
    about?: (object: Of) => string | null
    onChange: (id: string | null, object: Of | null) => void
  }

/** An object picked by its name; the service does the search. */
export function ObjectField<Of extends Named>(props: ObjectFieldProps<Of>) {
  const { label, hint, optional, fault, name, about } = props
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const picking = usePicking(props)
  const { isOpen, choices, at } = picking
  return (
    <Field {...{ label, hint, fault }} optional={optional === true}>
      {(parts) => (
        <>
          <input
            {...parts}
            ref={input}
            name={name}
            role="combobox"
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-activedescendant={isOpen && choices[at] ? `${listId}-${at}` : undefined}
            className={styles.input}
            placeholder="Type a part of its name"
            value={picking.shown}
            onChange={({ target }) => picking.type(target.value)}
            onClick={picking.open}
            onBlur={picking.close}
            onKeyDown={picking.onKey}
          />
          <ObjectChoices id={listId} anchor={input} about={about} {...picking} />
        </>
      )}
    </Field>
  )
}

const typingPauseMs = 150

/** The typed text, the objects found for it, and the keys of a combobox. */
function usePicking<Of extends Named>(props: ObjectFieldProps<Of>) {
  const { optional, value, kind, find, onChange } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const isOpen = typed !== null
  const sought = useDebounced(typed?.trim() || undefined, typingPauseMs)
  const found = useQuery({
    // Not undefined: that would be the key of the whole list.
    queryKey: listKey(kind, { pick: sought ?? '' }),
    queryFn: async () => (await find(sought)).data,
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const choices = found.data ?? []
  const name = useName(props)
  const open = () => setTyped(typed ?? '')
  const close = () => setTyped(null)
  const choose = (object: Of | undefined) => {
    if (!object) return
    close()
    onChange(object.id, object)
  }
  const type = (text: string) => {
    setTyped(text)
    setAt(0)
    if (text === '' && optional && value !== null) onChange(null, null)
  }
  const move = (step: number) =>
    isOpen ? setAt((at + step + choices.length) % Math.max(1, choices.length)) : open()
  const onKey = (event: KeyboardEvent) => {
    if (!handled(event.key, isOpen)) return
    // The dialog around it stays open.
    event.preventDefault()
    if (event.key === 'ArrowDown') move(1)
    if (event.key === 'ArrowUp') move(-1)
    if (event.key === 'Enter') choose(choices[at])
    if (event.key === 'Escape') close()
  }
  const { isPending: isBusy, error } = found
  const shown = typed ?? name
  return { isOpen, isBusy, error, choices, at, shown, open, close, choose, type, onKey }
}

const handled = (key: string, isOpen: boolean) =>
  ['ArrowDown', 'ArrowUp'].includes(key) || (isOpen && ['Enter', 'Escape'].includes(key))

function useName<Of extends Named>({ kind, value, get }: ObjectFieldProps<Of>): string {
  const { data, isPending } = useQuery({
    queryKey: objectKey(kind, value ?? ''),
    queryFn: async () => get(value ?? ''),
    enabled: value !== null,
  })
  if (value === null) return ''
  return data?.name ?? (isPending ? '…' : value)
}
