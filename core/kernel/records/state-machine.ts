/** A state machine, defined by the transitions of each state. */
export interface StateMachine<S extends string> {
  readonly states: readonly S[]
  readonly can: (from: S, to: S) => boolean
  readonly next: (from: S) => readonly S[]
  readonly isFinal: (state: S) => boolean
}

/** Makes a state machine of a table with a row for every state; the row of a final state is empty. */
export const stateMachine = <S extends string>(table: Readonly<Record<S, readonly NoInfer<S>[]>>): StateMachine<S> => ({
  states: Object.keys(table) as S[],
  can: (from, to) => table[from].includes(to),
  next: (from) => table[from],
  isFinal: (state) => table[state].length === 0,
})
