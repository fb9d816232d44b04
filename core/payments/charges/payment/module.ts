import type { PaymentsModule } from '../../payments-module.ts'
import { bankNotifications } from './bank-notifications.ts'

/** Where a bank tells what happened to its titles: `await pay.bank.paid(notice)()`. */
export const bank = { useCases: bankNotifications } satisfies PaymentsModule
