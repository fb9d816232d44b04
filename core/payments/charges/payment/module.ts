import { sweepOf } from '../../../kernel/running/jobs.ts'
import { unreadableRecords } from '../../bank/unreadable.ts'
import type { PaymentsModule } from '../../payments-module.ts'
import { bankNotifications } from './bank-notifications.ts'

/** The entry point for what happens at a bank: `await pay.bank.paid(notice)()`. */
export const bank = {
  collections: [unreadableRecords],
  sweeps: [sweepOf(unreadableRecords)],
  useCases: bankNotifications,
} satisfies PaymentsModule
