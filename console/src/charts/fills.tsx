import styles from './chart.module.css'

/** Parts that differ at a glance; what is beyond them is one of them. */
export const mostParts = 6

const parts = [
  { className: styles.part1, hatch: '', mark: styles.dark },
  { className: styles.part2, hatch: 'M-2 2L2 -2M0 8L8 0M6 10L10 6', mark: styles.dark },
  { className: styles.part3, hatch: '', mark: styles.dark },
  { className: styles.part4, hatch: 'M4 3V5', mark: styles.light },
  { className: styles.part5, hatch: 'M-2 6L2 10M0 0L8 8M6 -2L10 2', mark: styles.dark },
  { className: styles.part6, hatch: 'M0 4H8', mark: styles.dark },
]

/** How a part is filled, where `Fills` of the same id are on the page. */
export const fillOf = (id: string, at: number): string => `url(#${id}-${at})`

/** Fills that differ in color, lightness and hatching. */
export const Fills = ({ id }: { id: string }) => (
  <defs>
    {parts.map(({ className, hatch, mark }, at) => (
      <pattern
        key={className}
        id={`${id}-${at}`}
        width="8"
        height="8"
        patternUnits="userSpaceOnUse"
      >
        <rect width="8" height="8" className={className} />
        <path d={hatch} className={mark} />
      </pattern>
    ))}
  </defs>
)
