import type { Command } from 'commander'

/** Commands of campaigns as code. Each loads its code when it runs. */
export const ofProjects: readonly ((program: Command) => void)[] = [
  plan,
  apply,
  drift,
  importing,
  exporting,
  csv,
  validate,
  schema,
]

const several = (value: string, former: readonly string[] = []) => [...former, value]

/** Of commands that plan: what the plan may do. */
const planning = (command: Command): Command =>
  command
    .option('--prune', 'end what no file names: pause, then archive')
    .option('--delete', 'with --prune: delete it')
    .option('--adopt', 'take over objects of another project')
    .option('--rename-project <former>', 'move what has the label of this project')
    .option('--allow <what>', 'prune, many or guardrail; repeatable', several)
    .option('--reason <text>', 'why, for the audit log, and where guardrails are exceeded')

function plan(program: Command): void {
  planning(program.command('plan [paths...]'))
    .description('Show what applying project files would do')
    .option('--json', 'the plan as JSON')
    .option('--markdown', 'the plan as a comment on a change')
    .option('--out <file>', 'store the change sets, and write here which they are')
    .action(async (paths, options, command) => {
      const { showPlan } = await import('../project/commands/plan.ts')
      await showPlan(command, paths, options)
    })
}

function apply(program: Command): void {
  planning(program.command('apply [what...]'))
    .description('Apply project files, a plan of --out, or a change set by its id')
    .option('--yes', 'do not ask')
    .option('--json', 'the applied change sets as JSON')
    .action(async (what, options, command) => {
      const { apply } = await import('../project/commands/apply.ts')
      await apply(command, what, options)
    })
}

function drift(program: Command): void {
  program
    .command('drift [paths...]')
    .description('Show what others changed since project files were applied')
    .option('--json', 'as JSON')
    .action(async (paths, options, command) => {
      const { showDrift } = await import('../project/commands/drift.ts')
      await showDrift(command, paths, options)
    })
}

function importing(program: Command): void {
  program
    .command('import [ids...]')
    .description('Print objects as a project file')
    .requiredOption('--project <name>', 'the project that they are to be of')
    .option('--filter <name=value>', 'campaigns that the list shows by it; repeatable', several)
    .action(async (ids, options, command) => {
      const { importObjects } = await import('../project/commands/export.ts')
      await importObjects(command, ids, options)
    })
}

function exporting(program: Command): void {
  program
    .command('export <project>')
    .description('Print a project as a file')
    .option('--all', 'all that there is, as a project of this name')
    .action(async (project, options, command) => {
      const { exportProject } = await import('../project/commands/export.ts')
      await exportProject(command, project, options)
    })
}

function csv(program: Command): void {
  const group = program.command('csv').description('Campaigns as a spreadsheet')
  group
    .command('export')
    .description('Print campaigns as CSV')
    .option('--filter <name=value>', 'those that the list shows by it; repeatable', several)
    .action(async (options, command) => {
      const { exportCsv } = await import('../project/commands/csv.ts')
      await exportCsv(command, options)
    })
  group
    .command('import <file>')
    .description('Apply a spreadsheet: a blank cell leaves, [] clears')
    .option('--title <text>', 'of the change set')
    .option('--reason <text>', 'why, for the audit log')
    .option('--yes', 'do not ask')
    .option('--json', 'the applied change set as JSON')
    .action(async (file, options, command) => {
      const { importCsv } = await import('../project/commands/csv.ts')
      await importCsv(command, file, options)
    })
}

function validate(program: Command): void {
  program
    .command('validate [paths...]')
    .description('Check project files, without a service')
    .action(async (paths) => {
      const { validateFiles } = await import('../project/commands/validate.ts')
      await validateFiles(paths)
    })
}

function schema(program: Command): void {
  program
    .command('schema')
    .description('Print the JSON Schema of project files')
    .action(async () => {
      const { schemaText } = await import('../schema.ts')
      process.stdout.write(schemaText())
    })
}
