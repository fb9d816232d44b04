/** The kinds of records that a bank gives. */
export const BANK_RECORDS = ['title', 'pix', 'boleto', 'refund', 'pay-out'] as const

/** A record that a bank gave in a form that cannot be read. */
export interface UnreadableRecord {
  readonly kind: (typeof BANK_RECORDS)[number]
  /** The bank's id of it or, if that cannot be read either, the id or path by which it was requested. */
  readonly id: string
  /** The txid of its title and the key that it was paid to, as far as they can be read. */
  readonly txid: string | null
  readonly pixKey: string | null
}

/**
 * The outcome of a request to a bank. `refused`: the bank rejected it, and why. `unavailable`: the request was certainly not
 * sent. `unknown`: it may have been carried out (a time-out, or an answer that cannot be read, which is named); only a
 * further request by our own id tells.
 */
export type BankAnswer<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'unknown'; readonly unreadable?: UnreadableRecord }
