/** A part of a mail, from top to bottom. */
export type Block =
  /** A paragraph; its line breaks are kept. */
  | { readonly kind: 'text'; readonly text: string }
  /** What is to be typed elsewhere: it stands alone on its line. */
  | { readonly kind: 'code'; readonly code: string }
  /** What is to be copied, however long: it stands alone on its line, under its label. */
  | { readonly kind: 'copy'; readonly label: string; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** Names and what they are, a line each. */
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }

/** Whose mail it is. */
export interface Sender {
  readonly name: string
  /** Absolute; null shows the name instead. */
  readonly logoUrl: string | null
}

/** Renders a mail from its parts, in HTML that mail programs show, on a phone too. Every text of it is escaped. */
export interface EmailRenderer {
  html(template: { readonly subject: string; readonly blocks: readonly Block[] }, sender: Sender): string
}
