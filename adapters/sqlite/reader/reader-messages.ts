import type { Raw } from '../ask/execute.ts'
import type { Plan } from '../ask/plan-kinds.ts'

/** What the reader thread is asked: several plans at one instant, or to close. */
export type ToReader = { readonly number: number; readonly plans: readonly Plan[] } | 'close'

export type FromReader =
  | 'ready'
  | 'closed'
  | { readonly number: number; readonly raws: readonly Raw[] }
  | { readonly number: number; readonly failure: string; readonly isUnavailable: boolean }
