import test from 'ava'
import { addSeconds, secondsBetween } from '../../../../core/kernel/values/day.ts'
import { nextAttempt, RETRY_STEPS_SECONDS } from '../../../../core/payments/webhooks/deliver.ts'

const NOW = '2026-11-21T12:00:00.000Z'

test('the steps are those of the decisions, then it is given up', (t) => {
  const words = ['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h']
  const units: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 }
  const steps = words.map((word) => {
    const [count = '', unit = ''] = word.split(' ')
    return Number(count) * (units[unit] ?? Number.NaN)
  })
  t.deepEqual(RETRY_STEPS_SECONDS, steps)
  for (const [index, seconds] of steps.entries()) t.is(nextAttempt(index + 1, NOW, null), addSeconds(NOW, seconds))
  t.is(nextAttempt(10, NOW, null), null)
  t.is(nextAttempt(11, NOW, 60), null)
})

test('a Retry-After counts where it is longer than the step', (t) => {
  const after = (attempts: number, seconds: number) => secondsBetween(NOW, nextAttempt(attempts, NOW, seconds) ?? NOW)
  t.is(after(1, 0), 5)
  t.is(after(1, 4), 5)
  t.is(after(1, 6), 6)
  t.is(after(2, 120), 300)
  t.is(after(2, 3600), 3600)
  t.is(after(1, 2 * 86_400), 2 * 86_400)
})
