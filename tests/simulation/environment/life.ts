/** The life of a process: after its end the process has no effects and returns no answers. */
export interface Life {
  readonly name: string
  isOver(): boolean
  /** Resolves when it dies. */
  readonly over: Promise<null>
  end(): void
  /** Returns the result of a promise; never settles once the process is dead. */
  lives<A>(promise: Promise<A>): Promise<A>
}

/** Never settles: a dead process waits forever. */
export const never = <A>(): Promise<A> => new Promise(() => {})

/** Ends the life and never returns to the caller. */
export const dies = <A>(life: Life): Promise<A> => {
  life.end()
  return never()
}

export const lifeOf = (name: string, ending: () => void): Life => {
  let ended = false
  let resolve = (_: null): void => {}
  const over = new Promise<null>((done) => {
    resolve = done
  })
  return {
    name,
    over,
    isOver: () => ended,
    end() {
      if (ended) return
      ended = true
      ending()
      resolve(null)
    },
    async lives(promise) {
      try {
        const value = await promise
        return ended ? await never() : value
      } catch (error) {
        if (ended) return never()
        throw error
      }
    },
  }
}
