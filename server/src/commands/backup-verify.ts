import { verifyBackup } from '../backup/verify.ts'
import { environment, readConfig } from '../config/config.ts'
import { cipherWith } from '../crypto/cipher.ts'
import { findMasterKey } from '../crypto/master-key.ts'
import { contentsOf, shownContents } from './backup-contents.ts'
import { command } from './command.ts'

export const backupVerify = command({
  usage: 'backup verify <file>',
  summary: 'Check that a backup is complete and unchanged; needs no database',
  async run({ text }) {
    const file = text('file')
    const masterKey = await findMasterKey(readConfig(environment()))
    const verified = await verifyBackup(file, cipherWith(masterKey))
    if (!verified.valid) return { file, ...verified }
    const { header, ...rest } = verified
    return { file, ...rest, ...contentsOf(header) }
  },
  show: (result) =>
    result.valid
      ? `${shownContents(result)}\n\nThe backup is complete and unchanged.`
      : `DAMAGED at byte ${result.byte}: ${result.damage}.`,
  exitCode: ({ valid }) => (valid ? 0 : 1),
})
