import { createHash } from 'node:crypto'

/**
 * Light on any screen, and made to be printed on A4 or letter. The console shows the page below its
 * own `:host`, where sizes of the root are others.
 */
export const style = `
:root,:host{display:block;background:#fff;color:var(--ink);font:15px/1.5 system-ui,sans-serif;color-scheme:light;--ink:#17202a;--soft:#5b6775;--line:#d8dee6;--fill:#1769e0;--open:#9cc5ff}
*{box-sizing:border-box}
body{margin:0}
main,.page{max-width:960px;margin:0 auto;padding:32px 20px 48px}
header{display:flex;gap:20px;align-items:center;border-bottom:2px solid var(--ink);padding-bottom:16px}
header img{max-height:64px;max-width:200px}
h1{font-size:26px;line-height:1.2;margin:0}
h2{font-size:18px;margin:32px 0 8px;break-after:avoid}
h3{font-size:15px;margin:16px 0 4px;break-after:avoid}
p{margin:8px 0;overflow-wrap:anywhere}
.soft{color:var(--soft)}
.lead{font-size:19px}
.note{border:1px solid var(--line);border-left:4px solid #c77700;padding:8px 12px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}
th,td{padding:5px 8px;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
td{white-space:nowrap}
th:first-child,td:first-child{text-align:left}
td:first-child{min-width:112px;white-space:normal;overflow-wrap:anywhere}
th.text,td.text{text-align:left;white-space:normal}
thead{display:table-header-group}
tr{break-inside:avoid}
svg{display:block;width:100%;height:auto;break-inside:avoid}
svg .bar{fill:var(--fill)}
svg .open{fill:var(--open)}
svg text{fill:var(--soft);font:11px system-ui,sans-serif}
svg line{stroke:var(--line)}
form{display:flex;flex-wrap:wrap;gap:8px;margin-top:16px}
input,button{font:inherit;padding:8px 12px;border:1px solid var(--soft);border-radius:6px}
button{background:var(--ink);color:#fff}
footer{margin-top:40px;border-top:1px solid var(--line);padding-top:8px;font-size:13px}
@page{margin:16mm 14mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt sans-serif}}
@media print{main,.page{max-width:none;padding:0}:root,:host{font-size:10pt}.wide{overflow:visible}table{font-size:8pt}}
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
