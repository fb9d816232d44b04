export interface Mail {
  /** Stable per message: a mail sent again after a crash carries the same id, so that receivers can drop it. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** Sends one mail; rejects where it was not handed over, and the worker tries again. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}
