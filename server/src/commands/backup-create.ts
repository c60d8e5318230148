import { createBackup } from '../backup/create.ts'
import { environment, readConfig } from '../config/config.ts'
import { cipherWith } from '../crypto/cipher.ts'
import { findMasterKey } from '../crypto/master-key.ts'
import { onDatabase } from './administer.ts'
import { contentsOf, shownContents } from './backup-contents.ts'
import { command } from './command.ts'

export const backupCreate = command({
  usage: 'backup create',
  summary: 'Write all data to one file, while the service runs',
  options: { out: { value: 'file', about: 'a new file', required: true } },
  async run(given) {
    const file = given.text('out')
    const config = readConfig(environment())
    const cipher = cipherWith(await findMasterKey(config))
    const { header, bytes } = await onDatabase(config, 'backup create', (address) =>
      createBackup(file, { address, cipher }),
    )
    return { file, bytes, ...contentsOf(header) }
  },
  show: (created) =>
    `${shownContents(created)}\n\nThe master key is not in the file. Keep it too: a restore needs it.`,
})
