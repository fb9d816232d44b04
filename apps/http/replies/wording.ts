/** The words for a failure: a status other than its tag's, a text other than its tag's, and advice. */
export interface Wording {
  readonly status?: number
  readonly message?: string
  /** Advice to the caller, beside the message: `{reason}` is filled in, and a hint that lacks its reason is left out. */
  readonly hint?: string
}

/** Words that are complete but for the advice. */
export type FullWording = Wording & Required<Omit<Wording, 'hint'>>
