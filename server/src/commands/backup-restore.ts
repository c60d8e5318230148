import { openRestorable, restoreBackup } from '../backup/restore.ts'
import { environment, readConfig } from '../config/config.ts'
import { cipherWith } from '../crypto/cipher.ts'
import { findMasterKey } from '../crypto/master-key.ts'
import { onDatabase } from './administer.ts'
import { contentsOf, shownContents } from './backup-contents.ts'
import { command } from './command.ts'

export const backupRestore = command({
  usage: 'backup restore <file>',
  summary: 'Restore a backup into an empty or newly migrated database, all or nothing',
  async run({ text }) {
    const path = text('file')
    const config = readConfig(environment())
    await using file = await openRestorable(path, cipherWith(await findMasterKey(config)))
    const { migrated } = await onDatabase(config, 'backup restore', (address) =>
      restoreBackup(file, address),
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
