/** Runs tasks of one name one after the other, in the order they came; those of other names do not wait. */
export const inLine = () => {
  const last = new Map<string, Promise<unknown>>()
  return <A>(name: string, task: () => Promise<A>): Promise<A> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(task, task)
    last.set(name, mine)
    const leave = () => {
      if (last.get(name) === mine) last.delete(name)
    }
    mine.then(leave, leave)
    return mine
  }
}
