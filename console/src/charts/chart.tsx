import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { Cut } from '../ui/values/text.tsx'
import styles from './chart.module.css'
import { Reader } from './reader.tsx'
import { type Scale, scaleOf, ticksTo } from './scale.ts'

const height = 240
const margin = { left: 84, right: 8, top: 8, bottom: 24 }

type ChartProps = {
  title: string
  /** The chart in words, for readers who cannot see it. */
  summary: string
  /** Under the plot, at the places of the values: the first, the last, and some between. */
  labels: readonly string[]
  largest: number
  format: (value: number) => string
  legend: readonly Mark[]
  children: (scales: { x: Scale; y: Scale; step: number }) => ReactNode
  /** The same figures as a table. */
  table: ReactNode
  /** The place of a label in words; with it, the plot is read place by place. */
  read?: (at: number) => string
}

/** A line of the legend. */
type Mark = { name: string; className: string | undefined; fill?: string }

const labelWidth = 96

/** A plot over days, with axes, a legend, and its figures as a table. */
export function Chart(props: ChartProps) {
  const { title, summary, labels, largest, format, legend, children, table, read } = props
  const id = useId()
  const plot = useRef<SVGSVGElement>(null)
  const width = useWidth(plot)
  const ticks = ticksTo(largest)
  const y = scaleOf([0, ticks.at(-1) || 1], [height - margin.bottom, margin.top])
  const x = scaleOf([0, labels.length], [margin.left, width - margin.right])
  const step = (width - margin.right - margin.left) / Math.max(1, labels.length)
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <h2>{title}</h2>
        <Legend legend={legend} />
      </figcaption>
      <div className={styles.frame}>
        <svg
          ref={plot}
          viewBox={`0 0 ${width} ${height}`}
          height={height}
          role="img"
          aria-labelledby={id}
          className={styles.plot}
        >
          <title id={id}>{`${title}. ${summary}`}</title>
          <Values ticks={ticks} y={y} width={width} format={format} />
          <Labels labels={labels} x={x} width={width} />
          {children({ x, y, step })}
        </svg>
        {read && labels.length > 0 && (
          <Reader
            title={title}
            count={labels.length}
            read={read}
            plot={{ left: margin.left, right: margin.right, width }}
          />
        )}
      </div>
      <details className={styles.table}>
        <summary>
          <Cut text={`${title} as a table`} />
        </summary>
        {table}
      </details>
    </figure>
  )
}

const Legend = ({ legend }: Pick<ChartProps, 'legend'>) => (
  <ul className={styles.legend}>
    {legend.map(({ name, className, fill }) => (
      <li key={name}>
        <svg width="18" height="10" viewBox="0 0 18 10" aria-hidden="true">
          <rect x="1" y="1" width="16" height="8" className={className} fill={fill} />
        </svg>
        {name}
      </li>
    ))}
  </ul>
)

type ValuesProps = {
  ticks: readonly number[]
  y: Scale
  width: number
  format: ChartProps['format']
}

/** The values of the axis, each with a rule across the plot. */
const Values = ({ ticks, y, width, format }: ValuesProps) =>
  ticks.map((tick) => (
    <g key={tick}>
      <line
        x1={margin.left}
        x2={width - margin.right}
        y1={y(tick)}
        y2={y(tick)}
        className={styles.rule}
      />
      <text x={margin.left - 8} y={y(tick) + 4} className={styles.tick} textAnchor="end">
        {format(tick)}
      </text>
    </g>
  ))

type LabelsProps = { labels: readonly string[]; x: Scale; width: number }

/** As many labels as have room beside each other. */
function Labels({ labels, x, width }: LabelsProps) {
  const every = Math.ceil((labels.length * labelWidth) / (width - margin.left - margin.right))
  return labels.map((label, at) =>
    at % every === 0 ? (
      <text key={label} x={x(at + 0.5)} y={height - 6} className={styles.tick} textAnchor="middle">
        {label}
      </text>
    ) : null,
  )
}

const leastWidth = 240

/** Drawn as wide as it is shown, so that its text has one size everywhere. */
function useWidth(element: RefObject<SVGSVGElement | null>): number {
  const [width, setWidth] = useState(760)
  useLayoutEffect(() => {
    const observed = element.current
    if (!observed) return undefined
    const measure = () => setWidth(Math.max(leastWidth, Math.round(observed.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return width
}
