/**
 * Reports whether an answer arrives before the next turn of the event loop: then it was found in this thread without a
 * break. Turns are not counted, since the turns of another thread depend on the machine.
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
