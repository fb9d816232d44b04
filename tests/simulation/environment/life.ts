/** The life of a process: when it is over, nothing of it happens any more and nobody gets its answers. */
export interface Life {
  readonly name: string
  isOver(): boolean
  /** Resolves when it dies. */
  readonly over: Promise<null>
  end(): void
  /** What the process gets of a promise: nothing once it is dead. */
  lives<A>(promise: Promise<A>): Promise<A>
}

/** A dead process waits for ever. */
export const never = <A>(): Promise<A> => new Promise(() => {})

/** Ends a life from within: what asks for it never goes on. */
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
