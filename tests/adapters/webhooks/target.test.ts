import test from 'ava'
import { parseTarget } from '../../../adapters/webhooks/target.ts'

/** So many that the engine compiles what they run through. */
const CALLS = 10_000

test('a host beyond ASCII is the same host, however often it is called', (t) => {
  const wrong: string[] = []
  for (let call = 0; call < CALLS; call += 1) {
    // As a store gives it: what is put together here is treated in another way.
    const text: string = JSON.parse(`"https://ação${call % 7}.example/hook"`)
    try {
      if (!parseTarget(text, true).hostname.startsWith('xn--')) wrong.push(text)
    } catch (error) {
      wrong.push(`${text}, call ${call}: ${error}`)
    }
  }
  t.deepEqual(wrong.slice(0, 3), [])
})
