import { messagesIn } from '../../office/messages.ts'

/** Short messages to payers, by WhatsApp or SMS. */
export const shortMessages = messagesIn('payments')

export const { messages, enqueue: queueMessage } = shortMessages
