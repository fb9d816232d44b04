import { messagesOf } from '../../http/replies/messages.ts'
import { accessMessages } from './access.ts'
import { billingMessages } from './billing.ts'
import type { Part } from './codes.ts'
import { registrationMessages } from './registration.ts'

/** Every text of the payments app, by code: one that has none does not compile. */
export const messages = messagesOf({
  failures: { ...accessMessages.failures, ...registrationMessages.failures, ...billingMessages.failures },
  issues: { ...accessMessages.issues, ...registrationMessages.issues, ...billingMessages.issues },
} satisfies { readonly [K in keyof Part]: Required<Part[K]> })
