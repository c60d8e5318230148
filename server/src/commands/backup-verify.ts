import { verifyBackup } from '../backup/verify.ts'
import { readConfig } from '../config/config.ts'
import { environment } from '../config/environment.ts'
import { cipherWith } from '../crypto/cipher.ts'
import { findMasterKey } from '../crypto/master-key-file.ts'
import { contentsOf, shownContents } from './backup-contents.ts'
import { action } from './command.ts'

export const backupVerify = action({
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
