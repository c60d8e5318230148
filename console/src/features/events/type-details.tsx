import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { EventType } from '../../data/events/types.ts'
import { useScreenState } from '../../data/search.ts'
import { useMay } from '../../session.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { Json } from '../../ui/values/json.tsx'
import { Mono, Prose } from '../../ui/values/text.tsx'
import styles from './events.module.css'

type Schemas = Readonly<Record<string, unknown>>
type TypeDetailsProps = { type: EventType; schemas: Schemas }

/** One type; the address says which is open. */
export function TypeDetails({ type, schemas }: TypeDetailsProps) {
  const [search, setSearch] = useScreenState()
  const isOpen = search.open === type.type
  const element = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (isOpen) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <details ref={element} className={styles.type} open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button. */}
      <summary
        className={styles.summary}
        onClick={(event) => {
          event.preventDefault()
          setSearch({ open: isOpen ? undefined : type.type })
        }}
      >
        <IconChevronRight aria-hidden className={styles.mark} />
        <span className={styles.name}>{type.type}</span>
        <span className={styles.about}>
          <Prose text={type.description} />
        </span>
      </summary>
      {isOpen && <Meaning type={type} schemas={schemas} />}
    </details>
  )
}

function Meaning({ type, schemas }: TypeDetailsProps) {
  const mayRead = useMay('listEvents')
  const name = type.schema.$ref.split('/').at(-1) ?? ''
  const schema = schemas[name]
  return (
    <div className={styles.meaning}>
      {mayRead && (
        <Link to="/events" search={{ type: type.type }}>
          Events of this type
        </Link>
      )}
      <Fields name={name} schema={schema} />
      <Json name="Example" value={type.example} />
      <Json name={`JSON Schema of ${name}`} value={schema} />
    </div>
  )
}

const object = (value: unknown): Schemas => ({ ...Object(value) })

/** The fields of `data.object`. */
function Fields({ name, schema }: { name: string; schema: unknown }) {
  const fields = Object.entries(object(object(schema).properties)).map(([field, of]) => ({
    id: field,
    type: typeOf(of),
    about: `${object(of).description ?? ''}`,
  }))
  return (
    <Table
      caption={`Fields of ${name}`}
      rows={fields}
      columns={[
        { id: 'field', header: 'Field of data.object', cell: ({ id }) => <Mono>{id}</Mono> },
        {
          id: 'type',
          header: 'Type',
          cell: ({ type }) => <span className={styles.kind}>{type}</span>,
        },
        {
          id: 'about',
          header: 'Meaning',
          minor: true,
          cell: ({ about }) => (
            <span className={styles.text}>
              <Prose text={about} />
            </span>
          ),
        },
      ]}
    />
  )
}

/** `string | null`, `"active" | "paused"`. */
function typeOf(schema: unknown): string {
  const { type, enum: values, anyOf, items, $ref } = object(schema)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' | ')
  if (type === 'array') return `list of ${typeOf(items)}`
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? ''
  return [type ?? 'any'].flat().join(' | ')
}
