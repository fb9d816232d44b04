import type { At, Field, Id, Rec, Scalar } from './record.ts'
import type { Where } from './where.ts'

/** Copies a field of a record that an earlier change of the same commit patched or inserted. */
export type Take<F extends string = string> = { readonly [field in F]?: readonly [from: At, field: string] }

/**
 * A change is data. The changes of a commit apply in order, all or nothing, each seeing what earlier ones did.
 * A patch, check or remove of a record that is not there, or whose `when` does not hold, makes the commit `Stale`;
 * an insert of an id that is there, or of a unique key that another record holds, makes it a `Conflict`.
 * An ensure inserts its record where there is none of that id, and leaves the one that is there as it is.
 * `set add max take` and `when` name top-level fields only. `add` and `max` of a null field start from nothing
 * (0, and the value itself). `max` compares numbers, or texts by code point.
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

/** What the commit gave to the fields that were taken: `taken([entries, 7], 'balanceCents')`. */
export type Taken = (at: At, field: string) => Scalar

/** What must ride in the same commit: called with the taken values after the member's own changes. */
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

/** Inserts a whole record. Fields in `take` are overwritten by what is taken at the moment of commit. */
export const insert = <R extends Rec>(into: Named<R>, record: R, take?: Take<Field<R>>): Change => {
  const change = { kind: 'insert', at: [into.name, record.id], record } as const
  return take ? { ...change, take: take as Take } : change
}

/** Inserts a record unless one of its id is there: what keeps a count can begin wherever it is first counted. */
export const ensure = <R extends Rec>(into: Named<R>, record: R): Change => ({
  kind: 'ensure',
  at: [into.name, record.id],
  record,
})

/** Patches named fields. `when` asks for the least that the rule needs; `always` says aloud that it needs nothing. */
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

/** Guards a record that is read but not written. On MongoDB it is a real write: for money and invariants only. */
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
