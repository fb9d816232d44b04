import { keyChecks } from '../office/data-key-check.ts'
import { keysPart } from '../office/idempotency-keys.ts'
import * as modules from './modules.ts'
import { events } from './office/events.ts'
import { notificationCounts, notifications } from './office/notifications.ts'
import type { RealEstateModule, WorkingPart } from './real-estate-module.ts'
import { brokers } from './records/broker.ts'
import { clients } from './records/client.ts'
import { commissions } from './records/commission.ts'
import { companies } from './records/company.ts'
import { condominiums } from './records/condominium.ts'
import { contracts } from './records/contract.ts'
import { files } from './records/file.ts'
import { payments } from './records/payment.ts'
import { properties } from './records/property.ts'
import { proposals } from './records/proposal.ts'
import { users } from './records/user.ts'
import { visits } from './records/visit.ts'
import { renameQueue } from './renames/fold-renames.ts'
import { renameSubscriber, renames } from './renames/rename.ts'

/** What is kept of the business itself: rooms refer to each other's records, and so none of them has its own. */
const records = [
  ...[companies, users, clients, brokers, condominiums, properties],
  ...[proposals, contracts, payments, commissions, visits, files],
]

/** What the modules rest on, and nobody calls. */
const foundations: readonly WorkingPart[] = [
  { collections: [...records, events, keyChecks] },
  {
    collections: [renames],
    subscribers: () => [renameSubscriber],
    queues: (ports) => [renameQueue(ports)],
  },
  { collections: [notifications, notificationCounts] },
  keysPart,
]

const ofTheFacade: readonly RealEstateModule[] = Object.values(modules)

/** All that a store has to hold and a worker to run. */
export const parts: readonly WorkingPart[] = [...foundations, ...ofTheFacade]
