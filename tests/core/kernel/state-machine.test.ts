import test from 'ava'
import { stateMachine } from '../../../core/kernel/records/record.ts'

const STATES = ['pending', 'expired', 'paid', 'cancelled'] as const
const charge = stateMachine({ pending: ['paid', 'cancelled', 'expired'], expired: ['paid'], paid: [], cancelled: [] })

test('allows the transitions of the table only', (t) => {
  const allowed = STATES.flatMap((from) => STATES.filter((to) => charge.can(from, to)).map((to) => [from, to]))
  t.deepEqual(allowed, [
    ['pending', 'expired'],
    ['pending', 'paid'],
    ['pending', 'cancelled'],
    ['expired', 'paid'],
  ])
})

test('next returns the transitions in the order of the table', (t) => {
  t.deepEqual(charge.next('pending'), ['paid', 'cancelled', 'expired'])
  t.deepEqual(charge.next('paid'), [])
})

test('a state without transitions is final', (t) => {
  t.deepEqual(STATES.filter(charge.isFinal), ['paid', 'cancelled'])
})

test('a transition to a state without a row does not compile', (t) => {
  // @ts-expect-error: `lost` has no row
  const table = stateMachine({ found: ['lost'] })
  t.false(table.isFinal('found'))
})
