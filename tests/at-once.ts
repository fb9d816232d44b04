/**
 * Whether an answer is there before the event loop goes round: then it was found in this thread, and nobody else had a turn
 * meanwhile. It does not count turns, since how many a thread takes is up to the machine.
 */
export const isAtOnce = async (answer: Promise<unknown>): Promise<boolean> => {
  let isThere = false
  const done = answer.finally(() => {
    isThere = true
  })
  // From within a microtask, the next tick comes when no other is left.
  await null
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const wasThere = isThere
  await done
  return wasThere
}
