import { verifyBackup } from '../backup/verify.ts'
import { contentsOf, shownContents } from './backup-contents.ts'
import { command } from './command.ts'

export const backupVerify = command({
  usage: 'backup verify <file>',
  summary: 'Read a backup whole, and say whether it is as it was written; needs no database',
  async run({ text }) {
    const file = text('file')
    const verified = await verifyBackup(file)
    if (!verified.valid) return { file, ...verified }
    const { header, ...rest } = verified
    return { file, ...rest, ...contentsOf(header) }
  },
  show: (result) =>
    result.valid
      ? `${shownContents(result)}\n\nThe file is as it was written.`
      : `DAMAGED at byte ${result.byte}: ${result.damage}.`,
  exitCode: ({ valid }) => (valid ? 0 : 1),
})
