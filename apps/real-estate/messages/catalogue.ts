import { messagesOf } from '../../http/replies/messages.ts'
import { accessMessages, devIssuerMessages } from './access.ts'
import { brokerMessages } from './brokers.ts'
import { clientMessages } from './clients.ts'
import type { Part } from './codes.ts'
import { commissionMessages } from './commissions.ts'
import { condominiumMessages } from './condominiums.ts'
import { contractMessages } from './contracts.ts'
import { fileMessages } from './files.ts'
import { notificationMessages } from './notifications.ts'
import { feedMessages, importMessages, propertyMessages } from './properties.ts'
import { proposalMessages } from './proposals.ts'
import { ownerMessages, rentMessages } from './rents.ts'
import { calendarMessages, visitMessages } from './visits.ts'

/** What every server says, where this API says it with another status. Source: 03-real-estate.md, Errors. */
const serverMessages = {
  fields: { status: 400, message: 'Os dados fornecidos são inválidos.' },
  'key.malformed': {
    status: 400,
    message: 'A chave de idempotência deve ter de 1 a 255 caracteres e não pode conter o número de um cartão.',
  },
}

/** Every text of the real-estate app, by code: one that has none does not compile. */
export const messages = messagesOf({
  failures: {
    ...serverMessages,
    ...({
      ...accessMessages.failures,
      ...clientMessages.failures,
      ...commissionMessages.failures,
      ...contractMessages.failures,
      ...proposalMessages.failures,
      ...devIssuerMessages.failures,
      ...rentMessages.failures,
      ...ownerMessages.failures,
      ...visitMessages.failures,
      ...calendarMessages.failures,
      ...fileMessages.failures,
      ...importMessages.failures,
      ...notificationMessages.failures,
      ...propertyMessages.failures,
      ...condominiumMessages.failures,
      ...brokerMessages.failures,
      ...feedMessages.failures,
    } satisfies Required<Part['failures']>),
  },
  issues: {
    ...accessMessages.issues,
    ...clientMessages.issues,
    ...commissionMessages.issues,
    ...contractMessages.issues,
    ...proposalMessages.issues,
    ...rentMessages.issues,
    ...propertyMessages.issues,
    ...importMessages.issues,
    ...condominiumMessages.issues,
    ...brokerMessages.issues,
  } satisfies Required<Part['issues']>,
})
