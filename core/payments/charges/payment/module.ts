import { sweepOf } from '../../../kernel/running/jobs.ts'
import { unreadableRecords } from '../../bank/notices.ts'
import type { PaymentsModule } from '../../payments-ports.ts'
import { bankNotifications } from './bank-notifications.ts'

/** The entry point for what happens at a bank: `await pay.bank.paid(notice)()`. */
export const bank = {
  collections: [unreadableRecords],
  sweeps: [sweepOf(unreadableRecords)],
  useCases: bankNotifications,
} satisfies PaymentsModule
