import { createHash } from 'node:crypto'

/** Light on any screen, and made to be printed on A4 or letter. */
export const style = `
:root{color-scheme:light;--ink:#17202a;--soft:#5b6775;--line:#d8dee6;--fill:#1769e0;--open:#9cc5ff}
*{box-sizing:border-box}
body{margin:0;background:#fff;color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 3rem}
header{display:flex;gap:1.25rem;align-items:center;border-bottom:2px solid var(--ink);padding-bottom:1rem}
header img{max-height:64px;max-width:200px}
h1{font-size:1.6rem;line-height:1.2;margin:0}
h2{font-size:1.1rem;margin:2rem 0 .5rem;break-after:avoid}
h3{font-size:.95rem;margin:1rem 0 .25rem;break-after:avoid}
p{margin:.5rem 0;overflow-wrap:anywhere}
.soft{color:var(--soft)}
.lead{font-size:1.2rem}
.note{border:1px solid var(--line);border-left:4px solid #c77700;padding:.5rem .75rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .5rem;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
td{white-space:nowrap}
th:first-child,td:first-child{text-align:left}
td:first-child{min-width:7rem;white-space:normal;overflow-wrap:anywhere}
td.text{text-align:left;white-space:normal}
thead{display:table-header-group}
tr{break-inside:avoid}
svg{display:block;width:100%;height:auto;break-inside:avoid}
svg .bar{fill:var(--fill)}
svg .open{fill:var(--open)}
svg text{fill:var(--soft);font:11px system-ui,sans-serif}
svg line{stroke:var(--line)}
form{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:1rem}
input,button{font:inherit;padding:.5rem .75rem;border:1px solid var(--soft);border-radius:6px}
button{background:var(--ink);color:#fff}
footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.5rem;font-size:.8rem}
@page{margin:16mm 14mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt sans-serif}}
@media print{main{max-width:none;padding:0}body{font-size:10pt}.wide{overflow:visible}table{font-size:8pt}}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** One inline style, images from the page itself, and nothing else: no script at all. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
}
