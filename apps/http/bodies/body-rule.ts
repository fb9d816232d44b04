/** A form is what a page posts without any script: `application/x-www-form-urlencoded`. */
export type BodyKind = 'json' | 'multipart' | 'form'

export interface BodyRule {
  readonly kinds: readonly BodyKind[]
  /** In bytes, where they are not the usual ones. */
  readonly limits?: Partial<Readonly<Record<BodyKind, number>>>
}
