import { useLayoutEffect, useRef } from 'react'
import styles from './sheet.module.css'
import { showIn } from './show-page.ts'

/** The page of a report: on paper there is nothing else. */
export function Sheet({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (host.current) showIn(host.current, html)
  }, [html])
  return <div ref={host} data-sheet className={styles.sheet} />
}
