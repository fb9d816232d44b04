/** Counts the requests that are answered, one after the other, before a task has ended. */
export const servedDuring = async (task: Promise<unknown>, ask: () => Promise<unknown>): Promise<number> => {
  let isDone = false
  const done = task.finally(() => {
    isDone = true
  })
  let served = 0
  while (!isDone) {
    await ask()
    if (!isDone) served += 1
  }
  await done
  return served
}
