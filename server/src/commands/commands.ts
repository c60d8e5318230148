import type { Command, Option } from './command.ts'

/** Options of lists that may be long. */
const pageOptions: Readonly<Record<string, Option>> = {
  limit: { value: 'count', about: 'at most this many, up to 1000 (default: 100)' },
  after: { value: 'id', about: 'continue after this one, the last of the page before' },
}

/**
 * All commands, in the order of the help. Each loads its code when it runs, so that the others start
 * quickly.
 */
export const commands: readonly Command[] = [
  {
    usage: 'serve',
    summary: 'Run the service until SIGTERM, SIGHUP or Ctrl-C',
    example: 'serve',
    options: {
      role: { value: 'role', about: 'all, api or worker (default: all)' },
    },
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    usage: 'migrate',
    summary: 'Bring the database schema up to date (serve does this automatically)',
    example: 'migrate',
    options: {
      distribute: { about: 'distribute the tables over the nodes of a Citus cluster' },
      shards: { value: 'n', about: 'shards per table, 1 to 1024 (default: 32)' },
    },
    load: async () => (await import('./migrate.ts')).migrate,
  },
  {
    usage: 'config check',
    summary: 'Show all settings and any errors in them',
    example: 'config check --running',
    options: { running: { about: 'compare them with those of the running service' } },
    load: async () => (await import('./config/check.ts')).configCheck,
  },
  {
    usage: 'mail test <address>',
    summary: 'Send a mail to try the settings of the mail server',
    example: 'mail test grace@example.com',
    load: async () => (await import('./mail/send-test.ts')).mailTest,
  },
  {
    usage: 'orgs create',
    summary: 'Create an organization with its first owner',
    example: 'orgs create --name Acme --plan captain',
    options: {
      name: { value: 'name', about: 'name of the organization', required: true },
      plan: { value: 'plan', about: 'free, operator, captain or zion', required: true },
      sandbox: { about: 'for tests: its clock can be moved and its data reset' },
      'owner-email': { value: 'email', about: 'default: a generated one that gets no mail' },
      'owner-password': {
        value: 'password',
        about: 'default: generated and printed once',
        secret: true,
      },
      'owner-name': { value: 'name', about: 'default: Owner' },
    },
    load: async () => (await import('./orgs/create.ts')).orgsCreate,
  },
  {
    usage: 'orgs list',
    summary: 'List all organizations, oldest first',
    example: 'orgs list',
    load: async () => (await import('./orgs/list.ts')).orgsList,
  },
  {
    usage: 'orgs set-plan <org> <plan>',
    summary: 'Change the plan of an organization; applies within a second',
    example: 'orgs set-plan org_01m7yez275fk1a52pr5qevn8kn zion',
    load: async () => (await import('./orgs/set.ts')).orgsSetPlan,
  },
  {
    usage: 'orgs suspend <org>',
    summary: 'Make an organization read-only',
    example: 'orgs suspend org_01m7yez275fk1a52pr5qevn8kn',
    load: async () => (await import('./orgs/set.ts')).orgsSuspend,
  },
  {
    usage: 'orgs resume <org>',
    summary: 'Lift the suspension of an organization',
    example: 'orgs resume org_01m7yez275fk1a52pr5qevn8kn',
    load: async () => (await import('./orgs/set.ts')).orgsResume,
  },
  {
    usage: 'orgs trust-domain <org> <domain>',
    summary: 'Give a domain to an organization, for its single sign-on, without a DNS record',
    example: 'orgs trust-domain org_01m7yez275fk1a52pr5qevn8kn acme.example',
    load: async () => (await import('./orgs/trust-domain.ts')).orgsTrustDomain,
  },
  {
    usage: 'users create',
    summary: 'Add a user to an organization',
    example:
      'users create --org org_01m7yez275fk1a52pr5qevn8kn --email ann@acme.example --role editor',
    options: {
      org: { value: 'org', about: 'id of the organization', required: true },
      email: { value: 'email', about: 'unique across all organizations', required: true },
      role: { value: 'role', about: 'owner, admin, editor, viewer or auditor', required: true },
      name: { value: 'name', about: 'default: the part before the @' },
      password: { value: 'password', about: 'default: generated and printed once', secret: true },
    },
    load: async () => (await import('./users/create.ts')).usersCreate,
  },
  {
    usage: 'users set-password',
    summary: 'Set a user’s password and end all of their sessions',
    example: 'users set-password --email ann@acme.example',
    options: {
      email: { value: 'email', about: 'email of the user', required: true },
      password: { value: 'password', about: 'default: generated and printed once', secret: true },
    },
    load: async () => (await import('./users/set-password.ts')).usersSetPassword,
  },
  {
    usage: 'users list',
    summary: 'List users of all organizations, or of one',
    example: 'users list --role owner',
    options: {
      org: { value: 'org', about: 'id of one organization' },
      role: { value: 'role', about: 'only those with this role' },
      ...pageOptions,
    },
    load: async () => (await import('./users/list.ts')).usersList,
  },
  {
    usage: 'users disable',
    summary: 'Keep a user out: sessions end at once, and API keys of theirs are refused',
    example: 'users disable --email ann@acme.example',
    options: { email: { value: 'email', about: 'email of the user', required: true } },
    load: async () => (await import('./users/change.ts')).usersDisable,
  },
  {
    usage: 'users enable',
    summary: 'Let a disabled user in again',
    example: 'users enable --email ann@acme.example',
    options: { email: { value: 'email', about: 'email of the user', required: true } },
    load: async () => (await import('./users/change.ts')).usersEnable,
  },
  {
    usage: 'users set-role',
    summary: 'Change a user’s role; their API keys have at most the same rights',
    example: 'users set-role --email ann@acme.example --role admin',
    options: {
      email: { value: 'email', about: 'email of the user', required: true },
      role: { value: 'role', about: 'owner, admin, editor, viewer or auditor', required: true },
    },
    load: async () => (await import('./users/change.ts')).usersSetRole,
  },
  {
    usage: 'api-keys list',
    summary: 'List API keys of all organizations, or of one, without those that are revoked',
    example: 'api-keys list --role editor',
    options: {
      org: { value: 'org', about: 'id of one organization' },
      role: { value: 'role', about: 'only those with this role' },
      ...pageOptions,
    },
    load: async () => (await import('./api-keys/list.ts')).apiKeysList,
  },
  {
    usage: 'api-keys revoke <id>',
    summary: 'Revoke an API key, such as one that has leaked; it is refused at once',
    example: 'api-keys revoke key_01m7yez275fk1a52pr5qevn8kn',
    load: async () => (await import('./api-keys/revoke.ts')).apiKeysRevoke,
  },
  {
    usage: 'status',
    summary: 'Show the running processes, what is late, the queue, and the last backup',
    example: 'status',
    load: async () => (await import('./status/status.ts')).status,
  },
  {
    usage: 'keys rotate',
    summary: 'Sign tokens with a new key from now on; all sessions stay valid',
    example: 'keys rotate',
    load: async () => (await import('./keys/rotate.ts')).keysRotate,
  },
  {
    usage: 'keys rotate-master',
    summary: 'Change the master key, while the service runs; both keys work until --finish',
    example: 'keys rotate-master',
    options: {
      'new-key-file': { value: 'file', about: 'the new key (default in a data directory: made)' },
      finish: { about: 'forget the old key' },
      'at-once': { about: 'with --finish: do not wait for a day' },
    },
    load: async () => (await import('./keys/rotate-master.ts')).keysRotateMaster,
  },
  {
    usage: 'audit verify',
    summary: 'Verify the audit log: of all organizations, of one, or an export offline',
    example: 'audit verify',
    options: {
      org: { value: 'org', about: 'id of one organization' },
      file: { value: 'file', about: 'an NDJSON export; needs no database' },
      filtered: { about: 'the export was filtered: its gaps are not removed records' },
      checkpoints: { value: 'file', about: 'your saved checkpoints, to compare the export with' },
      jwks: { value: 'file', about: 'their signing keys: your copy of /.well-known/jwks.json' },
    },
    load: async () => (await import('./audit/verify.ts')).auditVerify,
  },
  {
    usage: 'backup create',
    summary: 'Write all data to one file, while the service runs',
    example: 'backup create --out flightdeck.backup',
    options: { out: { value: 'file', about: 'a new file', required: true } },
    load: async () => (await import('./backup/create.ts')).backupCreate,
  },
  {
    usage: 'backup verify <file>',
    summary: 'Check that a backup is complete and unchanged; needs no database',
    example: 'backup verify flightdeck.backup',
    load: async () => (await import('./backup/verify.ts')).backupVerify,
  },
  {
    usage: 'backup restore <file>',
    summary: 'Restore a backup into an empty or newly migrated database, all or nothing',
    example: 'backup restore flightdeck.backup',
    load: async () => (await import('./backup/restore.ts')).backupRestore,
  },
  {
    usage: 'openapi',
    summary: 'Print the OpenAPI document',
    example: 'openapi',
    load: async () => (await import('./openapi.ts')).openapi,
  },
  {
    usage: 'demo',
    summary: 'Fill an organization with sample data',
    example: 'demo',
    options: {
      org: { value: 'org', about: 'id of the organization (default: the first)' },
      'fill-only': { about: 'in a clone: without the simulated network, which runs until Ctrl-C' },
      connect: { about: 'deploys campaigns, and makes a key for their connector' },
    },
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  {
    usage: 'mcp',
    summary: 'Let a language model use the service, over standard input and output',
    example: 'mcp --url https://ads.example.com',
    options: {
      url: {
        value: 'url',
        about: 'URL of the service (default: FLIGHTDECK_URL, or port 8080 here)',
      },
      token: { value: 'token', about: 'API key or access token (default: FLIGHTDECK_TOKEN)' },
    },
    load: async () => (await import('./mcp.ts')).mcp,
  },
]
