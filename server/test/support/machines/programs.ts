import { spawnSync } from 'node:child_process'

/** Whether a program of the system is installed. */
export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** Runs it to its end. */
export function runProgram(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
