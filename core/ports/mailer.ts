export interface Mail {
  /** Stable per message: a mail sent again after a crash carries the same id, so that receivers can drop it. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Whose mail it is, where it is not our own: their name is shown, and answers go to them. */
  readonly inNameOf?: { readonly name: string; readonly replyTo: string | null }
}

/** Sends one mail; rejects where it was not handed over, and the worker tries again. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}
