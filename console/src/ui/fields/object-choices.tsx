import { type RefObject, useEffect, useRef } from 'react'
import styles from '../fields.module.css'
import { placeAt } from '../layers/place.ts'
import { troubleOf } from '../problem.ts'

export type Named = { id: string; name: string }

type ObjectChoicesProps<Of extends Named> = {
  id: string
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  isBusy: boolean
  error: unknown
  choices: readonly Of[]
  /** The one that Enter chooses. */
  at: number
  about: ((object: Of) => string | null) | undefined
  choose: (object: Of) => void
}

/** The results of a picker, below its field and above everything else. */
export function ObjectChoices<Of extends Named>(props: ObjectChoicesProps<Of>) {
  const { id, anchor, isOpen, isBusy, error, choices, at, about, choose } = props
  const layer = useRef<HTMLDivElement>(null)
  const size = choices.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height depends on what was found.
  useEffect(() => {
    const [popover, input] = [layer.current, anchor.current]
    if (!popover || !input) return
    if (!isOpen) return popover.hidePopover()
    popover.showPopover()
    popover.style.width = `${input.getBoundingClientRect().width}px`
    placeAt(popover, input, 'start')
  }, [isOpen, size, isBusy, anchor])
  const nothing = error ? troubleOf(error).title : isBusy ? 'Searching…' : 'Nothing matches.'
  return (
    <div ref={layer} popover="manual" className={styles.choices}>
      <div role="listbox" id={id} aria-label="Matches">
        {choices.map((object, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
          <div
            key={object.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.choice}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(object)}
            ref={index === at && isOpen ? scrollIntoView : undefined}
          >
            <span className={styles.choiceName}>{object.name}</span>
            <span className={styles.optional}>{about?.(object)}</span>
          </div>
        ))}
      </div>
      <p role="status" className={styles.nothing}>
        {isOpen && size === 0 && nothing}
      </p>
    </div>
  )
}

const scrollIntoView = (element: HTMLElement | null) =>
  element?.scrollIntoView({ block: 'nearest' })
