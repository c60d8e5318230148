import { recordVerified } from '../../backup/record-verified.ts'
import { verifyBackup } from '../../backup/verify.ts'
import { readConfig } from '../../config/config.ts'
import { environment } from '../../config/environment.ts'
import { cipherWith } from '../../crypto/cipher.ts'
import { findMasterKey } from '../../crypto/master-key-file.ts'
import { action } from '../command.ts'
import { contentsOf, shownContents } from './contents.ts'

export const backupVerify = action({
  async run({ text }) {
    const file = text('file')
    const config = readConfig(environment())
    const masterKey = await findMasterKey(config)
    const verified = await verifyBackup(file, cipherWith(masterKey))
    if (!verified.valid) return { file, ...verified }
    const { header, ...rest } = verified
    const recorded = await recordVerified(config, header.created_at)
    return { file, ...rest, ...contentsOf(header), recorded }
  },
  show: (result) =>
    result.valid
      ? `${shownContents(result)}\n\nThe backup is complete and unchanged.${result.recorded ? '' : '\nNo database answers here, so that it was verified is not recorded.'}`
      : `DAMAGED at byte ${result.byte}: ${result.damage}.`,
  exitCode: ({ valid }) => (valid ? 0 : 1),
})
