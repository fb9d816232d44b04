/** How often others are answered, one request after the other, until something that goes on meanwhile has ended. */
export const servedDuring = async (goesOn: Promise<unknown>, ask: () => Promise<unknown>): Promise<number> => {
  let isOver = false
  const over = goesOn.finally(() => {
    isOver = true
  })
  let served = 0
  while (!isOver) {
    await ask()
    if (!isOver) served += 1
  }
  await over
  return served
}
