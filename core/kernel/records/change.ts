import type { At, Field, Id, Rec, Scalar } from './record.ts'
import type { Where } from './where.ts'

/** Copies a field of a record that an earlier change of the same commit patched or inserted. */
export type Take<F extends string = string> = { readonly [field in F]?: readonly [from: At, field: string] }

/**
 * A change, as data. The changes of a commit apply in order, all or none, each on the result of the earlier ones.
 * - `insert` fails with a conflict if the id exists or another record has the text of a unique key.
 * - `ensure` inserts the record unless the id exists, and then leaves the stored one unchanged.
 * - `patch`, `check` and `remove` fail as stale if the record does not exist or does not meet `when`.
 *
 * `set`, `add`, `max`, `take` and `when` name top-level fields. `add` to a null field starts from 0; `max` of a null
 * field sets the value. `max` compares numbers by value and texts by code point.
 */
export type Change =
  | { readonly kind: 'insert'; readonly at: At; readonly record: Rec; readonly take?: Take }
  | { readonly kind: 'ensure'; readonly at: At; readonly record: Rec }
  | {
      readonly kind: 'patch'
      readonly at: At
      readonly set?: { readonly [field: string]: Rec[string] }
      readonly add?: { readonly [field: string]: number }
      readonly max?: { readonly [field: string]: string | number }
      readonly when: Where
    }
  | { readonly kind: 'check'; readonly at: At; readonly when: Where }
  | { readonly kind: 'remove'; readonly at: At; readonly when: Where }

/** Returns the value that a field took in the commit: `taken(['payments.entries', 7], 'balanceCents')`. */
export type Taken = (at: At, field: string) => Scalar

/** Returns further changes for the same commit, from the values that its own changes took. */
export type CommitHook = (taken: Taken) => readonly Change[]

export type Outcome =
  | { readonly ok: true; readonly taken: Taken }
  | { readonly ok: false; readonly stale: At }
  | { readonly ok: false; readonly conflict: { readonly collection: string; readonly key: string } }

interface Named<R extends Rec> {
  readonly name: string
  readonly codec: { decode(record: unknown): unknown }
  readonly owner: Field<R> | null
}

type Numeric<R> = { [F in Field<R>]: R[F] extends number | null ? F : never }[Field<R>]

/** Inserts a record. The fields in `take` are overwritten when the commit is applied. */
export const insert = <R extends Rec>(into: Named<R>, record: R, take?: Take<Field<R>>): Change => {
  const change = { kind: 'insert', at: [into.name, record.id], record } as const
  return take ? { ...change, take: take as Take } : change
}

/** Inserts a record unless its id exists. Creates a counter on first use. */
export const ensure = <R extends Rec>(into: Named<R>, record: R): Change => ({
  kind: 'ensure',
  at: [into.name, record.id],
  record,
})

/** Patches fields. `when` is the weakest guard that the rule needs, or `always` for none. */
export const patch = <R extends Rec>(
  of: Named<R>,
  id: Id,
  fields: {
    readonly set?: Partial<R>
    readonly add?: Partial<Record<Numeric<R>, number>>
    readonly max?: Partial<Record<Field<R>, string | number>>
    readonly when: Where<Field<R>>
  },
): Change => ({
  ...(fields as Omit<Extract<Change, { kind: 'patch' }>, 'kind' | 'at'>),
  kind: 'patch',
  at: [of.name, id],
})

/**
 * Guards a record that is read but not written. On MongoDB it costs a write, so use it for money and invariants only.
 */
export const check = <R extends Rec>(of: Named<R>, id: Id, when: Where<Field<R>>): Change => ({
  kind: 'check',
  at: [of.name, id],
  when,
})

export const remove = <R extends Rec>(from: Named<R>, id: Id, when: Where<Field<R>>): Change => ({
  kind: 'remove',
  at: [from.name, id],
  when,
})
