/** The style of all pages: no external fonts, images or scripts. */
export const style = `
:root { color-scheme: light dark; --ink: #16202e; --soft: #5a6778; --paper: #f6f8fb; --card: #fff;
  --line: #dfe5ee; --sky: #1769e0; --glow: #dcebff; --good: #0b7a4b; --bad: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf5; --soft: #9aa8bb; --paper: #0d131c;
  --card: #151d29; --line: #263244; --sky: #6eaaff; --glow: #12243f; --good: #4fd39a; --bad: #ff8a7d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
header { border-bottom: 1px solid var(--line); background: var(--card); }
header nav { max-width: 60rem; margin: 0 auto; padding: .8rem 1.25rem; display: flex; gap: 1.25rem;
  align-items: center; flex-wrap: wrap; }
.brand { display: flex; gap: .6rem; align-items: center; font-weight: 700; color: var(--ink);
  margin-right: auto; }
.brand svg { width: 1.6rem; height: 1.6rem; }
a { color: var(--sky); text-decoration: none; } a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--sky); outline-offset: 2px; border-radius: .25rem; }
.hero { padding: 3rem 0 2rem; }
h1 { font-size: clamp(1.9rem, 5vw, 2.9rem); line-height: 1.15; letter-spacing: -.02em; margin: .4rem 0; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .8rem; }
.lead { font-size: 1.15rem; color: var(--soft); max-width: 42rem; margin: 0 0 1.4rem; }
.pill { display: inline-flex; gap: .5rem; align-items: center; padding: .2rem .75rem; font-size: .875rem;
  border: 1px solid var(--line); border-radius: 99px; background: var(--card); }
.pill::before { content: ""; width: .55rem; height: .55rem; border-radius: 50%; background: var(--good); }
.pill.bad::before { background: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem;
  padding: 0; margin: 0; list-style: none; }
.cards a { display: block; height: 100%; padding: 1rem 1.1rem; background: var(--card); color: var(--ink);
  border: 1px solid var(--line); border-radius: .75rem; }
.cards a:hover { border-color: var(--sky); background: var(--glow); text-decoration: none; }
.cards b { display: block; color: var(--sky); } .cards span { color: var(--soft); font-size: .925rem; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .875em; }
pre { overflow-x: auto; padding: 1rem 1.1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; line-height: 1.55; }
p code, td code, dd code { background: var(--glow); padding: .1em .35em; border-radius: .3em; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { text-align: left; padding: .5rem .8rem; border-top: 1px solid var(--line); vertical-align: top; }
th { font-size: .8rem; color: var(--soft); } td:first-child { white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.25rem; }
dt { color: var(--soft); } dd { margin: 0; }
footer { color: var(--soft); font-size: .875rem; margin-top: 3rem; }
`
