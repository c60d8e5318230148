/** The kinds of objects that a project names, in the order in which they are created. */
export const kinds = ['client', 'proxy', 'profile', 'template', 'campaign'] as const
export type Kind = (typeof kinds)[number]

export type Section = 'clients' | 'proxies' | 'profiles' | 'templates' | 'campaigns'

type Facts = {
  /** In files, and in addresses of the API. */
  section: Section
  /** Of ids. */
  prefix: string
  /** Fields of files that name another object, and what the API calls them. */
  references: Readonly<Record<string, { kind: Kind; field: string }>>
  /** Which defaults of the project it takes, beside labels. */
  defaults: readonly string[]
}

const places = ['currency', 'time_zone']

export const factsOf: Readonly<Record<Kind, Facts>> = {
  client: { section: 'clients', prefix: 'cli', references: {}, defaults: places },
  proxy: { section: 'proxies', prefix: 'prx', references: {}, defaults: [] },
  profile: {
    section: 'profiles',
    prefix: 'prf',
    references: {
      client: { kind: 'client', field: 'client_id' },
      proxy: { kind: 'proxy', field: 'proxy_id' },
    },
    defaults: places,
  },
  template: { section: 'templates', prefix: 'tpl', references: {}, defaults: [] },
  campaign: {
    section: 'campaigns',
    prefix: 'cmp',
    references: {
      profile: { kind: 'profile', field: 'profile_id' },
      template: { kind: 'template', field: 'template_id' },
    },
    defaults: places,
  },
}

/** Whether the text is the id of an object of this kind. */
export const isIdOf = (kind: Kind, text: string): boolean =>
  new RegExp(`^${factsOf[kind].prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(text)

export const isId = (text: string): boolean => kinds.some((kind) => isIdOf(kind, text))
