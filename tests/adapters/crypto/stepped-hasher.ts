import { setImmediate } from 'node:timers/promises'
import { type Derive, hasherOf, hashSlots } from '../../../adapters/crypto/hasher.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'

export const AT_ONCE = 2

/** A hasher whose derivations end by `step`, or at once after `run`. `started` lists their secrets. */
export const steppedHasher = () => {
  const started: string[] = []
  const ends: (() => void)[] = []
  let isRunning = false
  const derive: Derive = async (secret) => {
    const text = new TextDecoder().decode(secret)
    started.push(text)
    if (!isRunning) await new Promise<void>((end) => ends.push(end))
    return new Uint8Array(32).fill(text.length)
  }
  const step = async (): Promise<void> => {
    ends.shift()?.()
    await setImmediate()
  }
  return {
    hasher: hasherOf(derive, hashSlots(AT_ONCE), { logN: 1, random: seededRandom(1) }),
    started,
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
