/** What keeps a payment from ending whose payer was charged: that is cancelled first. */
export const CANCELS = { 'charge.uncancelled': {}, 'charging.unavailable': {}, 'payment.charged': {} } as const
