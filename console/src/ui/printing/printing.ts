import { useEffect, useRef } from 'react'

/** As many rows as a list prints; more are no use on paper, and an export has them. */
export const mostPrinted = 1_000

const longestMs = 60_000

type Prepare = () => Promise<unknown>

const preparations = new Set<Prepare>()

/** Prepares a part of the screen for printing, such as by reading the rest of a list. */
export function useBeforePrint(prepare: Prepare): void {
  const latest = useRef(prepare)
  latest.current = prepare
  useEffect(() => {
    const run = () => latest.current()
    preparations.add(run)
    return () => void preparations.delete(run)
  }, [])
}

/** Prints the screen once its parts are ready; what is late is printed as far as it was read. */
export async function printScreen(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, longestMs))
  await Promise.race([late, Promise.allSettled([...preparations].map((run) => run()))])
  await nextFrame()
  window.print()
}

/** After what was read is drawn. */
const nextFrame = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
