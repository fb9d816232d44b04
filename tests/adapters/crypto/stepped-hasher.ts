import { setImmediate } from 'node:timers/promises'
import { type Derive, hasherOf, hashSlots } from '../../../adapters/crypto/hasher.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'

/** How many secrets it hashes at once. */
export const AT_ONCE = 2

/** A hasher whose work ends when it is told to, or at once after `run`; and what was begun, by its secrets. */
export const steppedHasher = () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  let isRunning = false
  const derive: Derive = async (secret) => {
    const text = new TextDecoder().decode(secret)
    begun.push(text)
    if (!isRunning) await new Promise<void>((end) => ends.push(end))
    return new Uint8Array(32).fill(text.length)
  }
  const step = async (): Promise<void> => {
    ends.shift()?.()
    await setImmediate()
  }
  return {
    hasher: hasherOf(derive, hashSlots(AT_ONCE), { logN: 1, random: seededRandom(1) }),
    begun,
    isBusy: (): boolean => ends.length > 0,
    step,
    run(): void {
      isRunning = true
      for (const end of ends.splice(0)) end()
    },
    hold(): void {
      isRunning = false
    },
  }
}
