import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import fieldStyles from '../fields.module.css'
import styles from './toast.module.css'

type NoteFormProps = {
  label: string
  /** Answers whether it is saved. */
  save: (text: string) => Promise<boolean>
}

/** A form for the note of a toast. The text stays in it if it cannot be saved. */
export default function NoteForm({ label, save }: NoteFormProps) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || isBusy) return
    setBusy(true)
    if (!(await save(text.trim()))) setBusy(false)
  }
  return (
    <form className={styles.note} onSubmit={submit}>
      <input
        ref={field}
        aria-label={label}
        maxLength={500}
        autoComplete="off"
        className={fieldStyles.input}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button
        small
        type="submit"
        busy={isBusy}
        blocked={text.trim() === '' ? 'Type it first.' : null}
      >
        Save
      </Button>
    </form>
  )
}
