import type { Command } from 'commander'

/** Commands of campaigns as code. Each loads its code when it runs. */
export const ofProjects: readonly ((program: Command) => void)[] = [validate, schema]

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
