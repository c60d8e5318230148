import { openRestorable, restoreBackup } from '../../backup/restore.ts'
import { readConfig } from '../../config/config.ts'
import { environment } from '../../config/environment.ts'
import { cipherWith } from '../../crypto/cipher.ts'
import { findMasterKey } from '../../crypto/master-key-file.ts'
import { action } from '../command.ts'
import { onDatabase } from '../on-database.ts'
import { contentsOf, shownContents } from './contents.ts'

export const backupRestore = action({
  async run({ text }) {
    const path = text('file')
    const config = readConfig(environment())
    await using file = await openRestorable(path, cipherWith(await findMasterKey(config)))
    const { migrated } = await onDatabase(
      config,
      { name: 'backup restore', mayCreate: true },
      (address) => restoreBackup(file, address),
    )
    return { file: path, bytes: file.bytes, ...contentsOf(file.header), migrated }
  },
  show: (restored) =>
    [
      shownContents(restored),
      '',
      ...(restored.migrated.length > 0 ? [`Then migrated: ${restored.migrated.join(', ')}`] : []),
      'Everything is restored and verified.',
    ].join('\n'),
})
