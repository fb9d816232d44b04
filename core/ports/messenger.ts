export const MESSAGE_CHANNELS = ['whatsapp', 'sms'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

export interface Message {
  /** Stable per message: one sent again after a crash carries the same id. */
  readonly id: string
  readonly channel: MessageChannel
  /** A telephone number, as it was given. */
  readonly to: string
  readonly text: string
}

/** Sends one short message; rejects where it was not handed over, and the worker tries again. */
export interface Messenger {
  send(message: Message): Promise<void>
}
