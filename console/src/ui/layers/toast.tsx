import { IconX } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { CodeMissing, isUpdated } from '../../data/code.ts'
import { Button, IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import { lazyPart } from '../lazily.tsx'
import { troubleOf } from '../problem.ts'
import styles from './toast.module.css'

type NoteFormProps = { label: string; save: (text: string) => Promise<boolean> }

const NoteForm = lazyPart<NoteFormProps>(() => import('./note-form.tsx'))

type ToastOptions = {
  tone?: 'plain' | 'bad'
  detail?: string
  /** A way back, or on. */
  action?: { name: string; run: () => void }
  /** A line that may be added to what was done. */
  note?: Note
  /** The subject: a toast takes the place of the last one about the same. */
  about?: string
}

export type Note = {
  /** On the button. */
  name: string
  label: string
  /** Said once it is saved. */
  done: string
  save: (text: string) => Promise<void>
}

type Toast = ToastOptions & { id: number; title: string }

const maxToasts = 4
const shortMs = 5_000
const longMs = 12_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** A message that goes by itself and is read out to those who cannot see it. */
export function say(title: string, options: ToastOptions = {}): void {
  lastId += 1
  const others = toasts.filter(({ about }) => about === undefined || about !== options.about)
  change([...others, { ...options, id: lastId, title }].slice(-maxToasts))
}

export function sayTrouble(error: unknown): void {
  const { title, detail } = troubleOf(error)
  // Each cell of a column may say so.
  if (error instanceof CodeMissing) change(toasts.filter((toast) => toast.title !== title))
  const reload = { name: 'Reload', run: () => location.reload() }
  say(title, isUpdated(error) ? { detail, action: reload } : { tone: 'bad', detail })
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Above everything, dialogs included. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const layer = useRef<HTMLDivElement>(null)
  const newest = shown.at(-1)?.id
  useEffect(() => {
    layer.current?.hidePopover()
    if (newest !== undefined) layer.current?.showPopover()
  }, [newest])
  return (
    <section ref={layer} popover="manual" aria-label="Messages" className={styles.layer}>
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast: { id, title, detail, tone, action, note } }: { toast: Toast }) {
  const [isPointed, setHeld] = useState(false)
  const [isNoting, setNoting] = useState(false)
  const isHeld = isPointed || isNoting
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => dismiss(id), tone === 'bad' || action || note ? longMs : shortMs)
    return () => clearTimeout(timer)
  }, [id, isHeld, tone, action, note])
  const act = () => {
    dismiss(id)
    action?.run()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: who reads or uses it keeps it there.
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classes(styles.toast, tone === 'bad' && styles.bad)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {detail && <p className={styles.detail}>{detail}</p>}
        {note && isNoting && (
          <Suspense>
            <NoteForm label={note.label} save={(text) => saved(id, note, text)} />
          </Suspense>
        )}
        {note && !isNoting && (
          <Button small look="link" onClick={() => setNoting(true)}>
            {note.name}
          </Button>
        )}
      </div>
      {action && (
        <Button small onClick={act}>
          {action.name}
        </Button>
      )}
      <IconButton small name="Dismiss" icon={<IconX aria-hidden />} onClick={() => dismiss(id)} />
    </div>
  )
}

const saved = (id: number, note: Note, text: string): Promise<boolean> =>
  note.save(text).then(
    () => {
      dismiss(id)
      say(note.done)
      return true
    },
    (error) => {
      sayTrouble(error)
      return false
    },
  )
