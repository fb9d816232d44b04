import { type Catalogue, messagesOf } from '../../http/replies/messages.ts'
import { accessMessages } from './access.ts'
import { billingMessages } from './billing.ts'
import { registrationMessages } from './registration.ts'

const parts: readonly Catalogue[] = [accessMessages, registrationMessages, billingMessages]

/** Every text of the payments app, by code. */
export const messages = messagesOf({
  failures: Object.assign({}, ...parts.map(({ failures }) => failures)),
  issues: Object.assign({}, ...parts.map(({ issues }) => issues)),
})
