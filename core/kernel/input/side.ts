/** By whose names and in whose values a field is spoken of: those of a program, or those of the wire of an API. */
export interface Side {
  readonly is: 'program' | 'wire'
  /** What this side calls a field that has no wire name of its own. */
  readonly nameOf: (key: string) => string
}

const asItStands = (key: string): string => key

/** What embedders write and records keep: `valueCents`, integer cents. */
export const PROGRAM: Side = { is: 'program', nameOf: asItStands }

/** A wire that names its fields as the program does. */
export const CAMEL_CASE: Side = { is: 'wire', nameOf: asItStands }

/** A wire of `due_date`. */
export const SNAKE_CASE: Side = {
  is: 'wire',
  nameOf: (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}

/** One thing made for each side, when it is first asked for. */
export const perSide = <A>(make: (side: Side) => A): ((side: Side) => A) => {
  const made = new Map<Side, A>()
  return (side) => {
    const known = made.get(side)
    if (known !== undefined) return known
    const fresh = make(side)
    made.set(side, fresh)
    return fresh
  }
}
