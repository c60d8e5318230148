import { createBackup } from '../../backup/create.ts'
import { readConfig } from '../../config/config.ts'
import { environment } from '../../config/environment.ts'
import { cipherWith } from '../../crypto/cipher.ts'
import { findMasterKey } from '../../crypto/master-key-file.ts'
import { action } from '../command.ts'
import { onDatabase } from '../on-database.ts'
import { contentsOf, shownContents } from './contents.ts'

export const backupCreate = action({
  async run(given) {
    const file = given.text('out')
    const config = readConfig(environment())
    const { header, bytes } = await onDatabase(
      config,
      { name: 'backup create' },
      async (address) => {
        const cipher = cipherWith(await findMasterKey(config))
        return createBackup(file, { address, cipher })
      },
    )
    return { file, bytes, ...contentsOf(header) }
  },
  show: (created) =>
    `${shownContents(created)}\n\nThe master key is not in the file. Keep it too: a restore needs it.`,
})
