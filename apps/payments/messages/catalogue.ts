import { messagesOf } from '../../http/replies/messages.ts'
import { accessMessages } from './access.ts'
import { billingMessages } from './billing.ts'
import { cardMessages } from './cards.ts'
import type { Part } from './codes.ts'
import { exportMessages } from './exports.ts'
import { linkMessages } from './links.ts'
import { registrationMessages } from './registration.ts'
import { resourceMessages } from './resources.ts'
import { transferMessages } from './transfers.ts'
import { withdrawalMessages } from './withdrawals.ts'

/** Every text of the payments app, by code: one that has none does not compile. */
export const messages = messagesOf({
  failures: {
    ...accessMessages.failures,
    ...registrationMessages.failures,
    ...billingMessages.failures,
    ...resourceMessages.failures,
    ...linkMessages.failures,
    ...cardMessages.failures,
    ...exportMessages.failures,
    ...withdrawalMessages.failures,
    ...transferMessages.failures,
  },
  issues: {
    ...accessMessages.issues,
    ...registrationMessages.issues,
    ...billingMessages.issues,
    ...resourceMessages.issues,
    ...linkMessages.issues,
    ...cardMessages.issues,
    ...exportMessages.issues,
    ...withdrawalMessages.issues,
    ...transferMessages.issues,
  },
} satisfies { readonly [K in keyof Part]: Required<Part[K]> })
