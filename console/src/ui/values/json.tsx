import { IconCopy } from '@tabler/icons-react'
import { indented } from '../../data/values/json.ts'
import { Button } from '../button.tsx'
import styles from './json.module.css'
import { copyText } from './text.tsx'

type CodeProps = {
  /** The name of the text: `Request body`. */
  name: string
  /** Copied exactly; shown indented where it is JSON. */
  text: string
}

/** A text of a machine, JSON indented and coloured, to copy. */
export function Code({ name, text }: CodeProps) {
  const json = indented(text)
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.head}>
        {name}
        <Button
          small
          look="quiet"
          icon={<IconCopy aria-hidden />}
          aria-label={`Copy: ${name}`}
          onClick={() => void copyText(text)}
        >
          Copy
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard. */}
      <pre className={styles.code} tabIndex={0}>
        {json === null ? text : coloured(json)}
      </pre>
    </figure>
  )
}

/** Any value as JSON. */
export const Json = ({ name, value }: { name: string; value: unknown }) => (
  <Code name={name} text={JSON.stringify(value)} />
)

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g
/** Beyond it, thousands of elements would make the page slow. */
const maxColoured = 60_000

function coloured(json: string) {
  if (json.length > maxColoured) return json
  const parts = []
  let at = 0
  for (const match of json.matchAll(token)) {
    const [whole, text, colon] = match
    if (match.index > at) parts.push(json.slice(at, match.index))
    const look = text === undefined ? styles.value : colon ? styles.key : styles.string
    parts.push(
      <span key={match.index} className={look}>
        {text ?? whole}
      </span>,
    )
    if (colon) parts.push(colon)
    at = match.index + whole.length
  }
  parts.push(json.slice(at))
  return parts
}
