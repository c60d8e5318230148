/** Shows the page of a report as the service wrote it, apart from the styles of the console. */

type Policy = { createHTML: (text: string) => string }
type Policies = { createPolicy: (name: string, rules: Policy) => Policy }

declare global {
  /** Not in every browser. */
  var trustedTypes: Policies | undefined
}

/** The service has escaped all texts in it, and the policy of the console lets no script run. */
const asItIs: Policy = { createHTML: (text) => text }
const policy = globalThis.trustedTypes?.createPolicy('flightdeck-report', asItIs) ?? asItIs

export function showIn(host: HTMLElement, html: string): void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  // Out of the text: the policy of the console takes no styles in a document.
  const [element = '', style = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? []
  const text = policy.createHTML(html.replace(element, ''))
  const page = new DOMParser().parseFromString(text, 'text/html')
  const styles = new CSSStyleSheet()
  styles.replaceSync(style)
  root.adoptedStyleSheets = [styles]
  const body = document.createElement('div')
  body.className = 'page'
  body.append(...(page.querySelector('main')?.childNodes ?? []))
  root.replaceChildren(body)
}
