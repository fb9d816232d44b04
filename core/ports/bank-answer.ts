/**
 * What came of asking a bank. `refused`: it said no, and why. `unavailable`: it was certainly not asked. `unknown`: a
 * time-out, whatever it did; only asking again by our own id tells.
 */
export type BankAnswer<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'unknown' }
