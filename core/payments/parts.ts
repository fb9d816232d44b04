import { sweepOf } from '../kernel/running/jobs.ts'
import { keyChecks } from '../office/data-key-check.ts'
import { keysPart } from '../office/idempotency-keys.ts'
import { bankOperations } from './bank/operation.ts'
import { askAtStart, operationQueues } from './bank/operation-queue.ts'
import { claimSteps, claims } from './claim.ts'
import { entries } from './ledger/entry.ts'
import { journals } from './ledger/journal.ts'
import { ledgerAccounts } from './ledger/ledger-account.ts'
import { mailQueues } from './mail/send-mail.ts'
import * as modules from './modules.ts'
import { audit } from './office/audit.ts'
import { events } from './office/events.ts'
import { images } from './office/files.ts'
import { mails } from './office/mails.ts'
import { shortMessages } from './office/messages.ts'
import type { PaymentsModule, WorkingPart } from './payments-module.ts'
import type { PaymentsPorts } from './payments-ports.ts'

const operationsOf = (ports: PaymentsPorts) => parts.flatMap(({ operations }) => operations?.(ports) ?? [])

/** What the modules rest on, and nobody calls. */
const foundations: readonly WorkingPart[] = [
  { collections: [claims, ledgerAccounts, entries, journals, events, keyChecks], migrations: () => claimSteps },
  keysPart,
  audit.part,
  { collections: [mails], sweeps: [sweepOf(mails)], queues: mailQueues },
  shortMessages.part,
  images.part,
  {
    collections: [bankOperations],
    sweeps: [sweepOf(bankOperations)],
    queues: (ports) => operationQueues(operationsOf(ports)),
    atStart: (ports) => askAtStart(ports, operationsOf(ports)),
  },
]

const ofTheFacade: readonly PaymentsModule[] = Object.values(modules)

/** All that a store has to hold and a worker to run. */
export const parts: readonly WorkingPart[] = [...foundations, ...ofTheFacade]
