import pino from 'pino'
import { type Background, startBackground } from '../../../src/background/scheduler.ts'
import type { DatabaseAddress } from '../../../src/database/address.ts'
import { openLeases } from '../../../src/jobs/leases.ts'
import type { Services } from '../../../src/kernel/context.ts'
import type { Logger } from '../../../src/observability/logger.ts'

type Parts = { services: Services; address: DatabaseAddress; logger?: Logger }

/** The background work of one process, which logs nothing unless asked to. */
export function backgroundOf({
  services,
  address,
  logger = pino({ level: 'silent' }),
}: Parts): Background {
  return startBackground({
    services,
    address,
    logger,
    leases: openLeases(services, logger),
  })
}
