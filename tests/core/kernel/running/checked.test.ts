import test from 'ava'
import { issue } from '../../../../core/failure.ts'
import { left, right } from '../../../../core/fp.ts'
import { day } from '../../../../core/kernel/input/fields/days.ts'
import { input } from '../../../../core/kernel/input/input.ts'
import { rule } from '../../../../core/kernel/input/rules.ts'
import { checked } from '../../../../core/kernel/running/checked.ts'
import type { KeyHooks } from '../../../../core/kernel/running/use-case.ts'

const NOT_PAST = rule<{ readonly dueDate: string }, 'dueDate', 'day.past'>(['dueDate'], ({ dueDate }, today) =>
  today !== null && dueDate < today ? [issue('dueDate', 'day.past')] : [],
)
const bill = input('Bill', { dueDate: day() }, NOT_PAST)
const clock = { steady: () => '2026-12-01T03:00:00.000Z' }
const useCase = (dueDate: string) => checked({ clock }, bill, { dueDate }, (given) => async () => right(given))

const hooks: KeyHooks<unknown> = {
  whole: () => [],
  begun: () => [],
  done: () => [],
  freed: () => [],
  unanswered: () => [],
}
const PAST = left({ tag: 'invalid', code: 'fields', issues: [issue('dueDate', 'day.past')] })

test('what is given is checked by the day of the call', async (t) => {
  t.deepEqual(await useCase('2026-12-01')(), right({ dueDate: '2026-12-01' }))
  t.deepEqual(await useCase('2026-11-30')(), PAST)
  t.deepEqual(await useCase('2026-11-30')(hooks), PAST)
})

test('and by the day on which it was begun, where that was by an earlier call', async (t) => {
  const begunOn = (begunAt: string) => ({ ...hooks, resumes: { intent: 'i1', begunAt } })
  t.deepEqual(await useCase('2026-11-30')(begunOn('2026-12-01T02:59:59.999Z')), right({ dueDate: '2026-11-30' }))
  t.deepEqual(await useCase('2026-11-30')(begunOn('2026-12-01T03:00:00.000Z')), PAST)
})
