/** A form is what a page posts without any script: `application/x-www-form-urlencoded`. A CSV is one text. */
export type BodyKind = 'json' | 'multipart' | 'form' | 'csv'

export interface BodyRule {
  readonly kinds: readonly BodyKind[]
  /** In bytes, where they are not the usual ones. */
  readonly limits?: Partial<Readonly<Record<BodyKind, number>>>
}
