/** What a thread is asked, or to close. */
export type ToThread<Work> = { readonly number: number; readonly work: Work } | 'close'

export type FromThread<Result> =
  | 'ready'
  | 'closed'
  | { readonly number: number; readonly result: Result }
  | { readonly number: number; readonly failure: string; readonly isUnavailable: boolean }
