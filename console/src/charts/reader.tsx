import { type PointerEvent, useState } from 'react'
import styles from './chart.module.css'

type ReaderProps = {
  title: string
  /** How many places the plot has. */
  count: number
  /** A place in words: what stands there. */
  read: (at: number) => string
  /** The plot between its margins, of the width that it is drawn in. */
  plot: { left: number; right: number; width: number }
}

/**
 * Reads a plot place by place: a slider over all of it, with the keys, the pointer and the voice that
 * sliders have. What is drawn stays as it is.
 */
export function Reader({ title, count, read, plot }: ReaderProps) {
  const [place, setPlace] = useState(0)
  const [isRead, setRead] = useState(false)
  const at = Math.min(place, count - 1)
  const inner = plot.width - plot.left - plot.right
  const show = (next: number) => {
    setPlace(Math.max(0, Math.min(count - 1, next)))
    setRead(true)
  }
  const point = ({ nativeEvent, currentTarget }: PointerEvent<HTMLElement>) =>
    show(Math.floor((nativeEvent.offsetX / currentTarget.clientWidth) * count))
  const share = (part: number) => `${(part / plot.width) * 100}%`
  return (
    <>
      <div className={styles.reader} style={{ left: share(plot.left), width: share(inner) }}>
        <input
          type="range"
          className={styles.slider}
          aria-label={`${title}, read`}
          aria-valuetext={read(at)}
          min={0}
          max={count - 1}
          value={at}
          onChange={({ target }) => show(Number(target.value))}
          onPointerMove={point}
          onFocus={() => setRead(true)}
          onBlur={() => setRead(false)}
          onPointerLeave={() => setRead(false)}
        />
        {isRead && (
          <div className={styles.cursor} style={{ left: `${((at + 0.5) / count) * 100}%` }} />
        )}
      </div>
      <output className={styles.words} aria-hidden>
        {isRead ? read(at) : hint}
      </output>
    </>
  )
}

const hint = 'Point at the chart, or go through it with the arrow keys.'
