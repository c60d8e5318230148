/** Runs in the page before its own scripts: what people see is timed where they see it. */
;(() => {
  /** When the next frame is on the screen. */
  const painted = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(null)
      })
    })

  /** When what is looked for is on the screen. */
  async function shown(isThere) {
    await new Promise((resolve) => {
      const look = () => {
        if (!isThere()) return
        observer.disconnect()
        resolve()
      }
      const observer = new MutationObserver(look)
      observer.observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      })
      look()
    })
    return painted()
  }

  const idle = () => new Promise((resolve) => requestIdleCallback(() => resolve(performance.now())))

  const grid = () => document.querySelector('[role=grid]')
  const row = () => grid()?.querySelector('[data-row]')
  const latencies = []
  let last = 0

  for (const type of ['keydown', 'wheel', 'click']) {
    const note = async ({ timeStamp }) => {
      last = timeStamp
      latencies.push((await painted()) - timeStamp)
    }
    addEventListener(type, note, { capture: true, passive: true })
  }

  const meter = {
    /** Rows are on the screen, and the page would answer at once. */
    interactive: shown(row).then(idle),
    latencies,
    /** Once nothing of earlier inputs is left to be drawn: each would count as one of the next. */
    async begin() {
      await painted()
      await idle()
      latencies.length = 0
    },
    async inputs(count) {
      while (latencies.length < count) await painted()
    },
    /** Begins to look for something that an input will bring. `watched` is when it was shown. */
    watch(isThere) {
      meter.watched = shown(isThere).then((at) => ({
        at: performance.timeOrigin + at,
        sinceInput: at - last,
      }))
    },
    hasRow: (index) => grid()?.querySelector(`[data-row][aria-rowindex="${index + 1}"]`) != null,
    rowCount: () => (grid()?.ariaBusy ? -1 : Number(grid()?.ariaRowCount) - 1),
    budgetOf: (name) =>
      [...document.querySelectorAll('[data-row]')]
        .find((each) => each.querySelector('a')?.textContent === name)
        ?.querySelector('[data-column=daily_budget]')?.textContent,
  }
  globalThis.meter = meter
})()
