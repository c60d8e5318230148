import { IconX } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { objectKey } from '../../data/keys.ts'
import type { Kind } from '../../kinds.ts'
import styles from '../fields.module.css'
import type { Labelled } from './field.tsx'
import type { FieldState } from './form.ts'
import type { Named } from './object-choices.tsx'
import { ObjectField } from './object-field.tsx'

type ObjectsFieldProps = Labelled &
  FieldState<readonly string[]> & {
    kind: Kind
    find: (typed: string | undefined) => PromiseLike<{ data: Named[] }>
    get: (id: string) => PromiseLike<Named>
  }

/** Several objects, picked by their names one after the other. */
export function ObjectsField({ kind, get, value, onChange, ...field }: ObjectsFieldProps) {
  const found = useQueries({
    queries: value.map((id) => ({ queryKey: objectKey(kind, id), queryFn: async () => get(id) })),
  })
  const add = (id: string | null) => id && onChange([...new Set([...value, id])])
  return (
    <>
      <ObjectField {...field} {...{ kind, get }} optional value={null} onChange={add} />
      {value.length > 0 && (
        <div className={styles.chosen}>
          {value.map((id, at) => (
            <span key={id} className={styles.chip}>
              {found[at]?.data?.name ?? id}
              <button
                type="button"
                aria-label={`Remove ${found[at]?.data?.name ?? id}`}
                onClick={() => onChange(value.filter((other) => other !== id))}
              >
                <IconX aria-hidden />
              </button>
            </span>
          ))}
        </div>
      )}
    </>
  )
}
