import { auditVerify } from './audit-verify.ts'
import { backupCreate } from './backup-create.ts'
import { backupRestore } from './backup-restore.ts'
import { backupVerify } from './backup-verify.ts'
import type { Command } from './command.ts'
import { configCheck } from './config-check.ts'
import { demo } from './demo.ts'
import { keysRotate } from './keys-rotate.ts'
import { listen } from './listen.ts'
import { migrate } from './migrate.ts'
import { openapi } from './openapi.ts'
import { orgsCreate } from './orgs-create.ts'
import { orgsList } from './orgs-list.ts'
import { orgsResume, orgsSetPlan, orgsSuspend } from './orgs-set.ts'
import { serve } from './serve.ts'
import { usersCreate } from './users-create.ts'
import { usersSetPassword } from './users-set-password.ts'

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  migrate,
  configCheck,
  orgsCreate,
  orgsList,
  orgsSetPlan,
  orgsSuspend,
  orgsResume,
  usersCreate,
  usersSetPassword,
  keysRotate,
  auditVerify,
  backupCreate,
  backupVerify,
  backupRestore,
  openapi,
  demo,
  listen,
]
