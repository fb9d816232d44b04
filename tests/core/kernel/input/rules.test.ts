import test from 'ava'
import { issue } from '../../../../core/failure.ts'
import { clearable, list, nullIfAbsent, optional } from '../../../../core/kernel/input/field.ts'
import {
  allOrNone,
  exactlyOne,
  input,
  notBefore,
  object,
  requiredWhen,
  rule,
  sameAs,
} from '../../../../core/kernel/input/input.ts'
import { day, integer, money, oneOf, secret, text } from '../../../../core/kernel/input/scalars.ts'
import { outcome } from './reads.ts'

const word = text({ max: 9 })

test('a rule runs if its own fields decoded, whether or not others did', (t) => {
  const register = input(
    null,
    { name: word, password: secret({ min: 8 }), password_confirmation: secret() },
    sameAs('password_confirmation', 'password'),
  )
  const issuesOf = (sent: unknown) => outcome(register.decode(sent))
  t.deepEqual(issuesOf({ name: '', password: 'long enough', password_confirmation: 'other' }), {
    issues: ['name required', 'password_confirmation same-as password'],
  })
  t.deepEqual(issuesOf({ name: 'a', password: 'short', password_confirmation: 'other' }), {
    issues: ['password text.min 8'],
  })
  t.deepEqual(issuesOf({ name: 'a', password: 'long enough' }), { issues: ['password_confirmation required'] })
  t.deepEqual(issuesOf({ name: 'a', password: 'long enough', password_confirmation: 'long enough' }), {
    decoded: { name: 'a', password: 'long enough', password_confirmation: 'long enough' },
  })
})

test('an optional password requires its confirmation', (t) => {
  const put = input(
    null,
    { password: optional(secret({ min: 8 })), password_confirmation: optional(secret()) },
    sameAs('password_confirmation', 'password'),
  )
  t.deepEqual(outcome(put.decode({})), { decoded: {} })
  t.deepEqual(outcome(put.decode({ password: 'long enough' })), { issues: ['password_confirmation same-as password'] })
})

test('a custom rule receives the fields that it names', (t) => {
  const link = input(
    null,
    { min_amount: nullIfAbsent(money()), max_amount: nullIfAbsent(money()), title: word },
    rule(['min_amount', 'max_amount'], ({ min_amount, max_amount }) =>
      min_amount !== null && max_amount !== null && max_amount <= min_amount
        ? [issue('max_amount', 'greater-than', { other: 'min_amount' })]
        : [],
    ),
  )
  t.deepEqual(outcome(link.decode({ min_amount: 2, max_amount: 2 })), {
    issues: ['title required', 'max_amount greater-than min_amount'],
  })
  t.deepEqual(outcome(link.decode({ min_amount: 2, title: 'a' })), {
    decoded: { min_amount: 200, max_amount: null, title: 'a' },
  })
})

test('exactlyOne refuses none and more than one', (t) => {
  const commission = input(
    null,
    { value: optional(money()), percentage: clearable(money()) },
    exactlyOne('value', 'percentage'),
  )
  t.deepEqual(outcome(commission.decode({})), { issues: ['value required'] })
  t.deepEqual(outcome(commission.decode({ value: 1, percentage: 2 })), { issues: ['percentage only-one value'] })
  t.deepEqual(outcome(commission.decode({ value: 1, percentage: null })), { decoded: { value: 100, percentage: null } })
  t.deepEqual(outcome(commission.decode({ percentage: 0 })), { decoded: { percentage: 0 } })
})

test('allOrNone accepts both ends of a range or none', (t) => {
  const range = input(
    null,
    { from: optional(day()), to: optional(day()) },
    allOrNone('from', 'to'),
    notBefore('to', 'from'),
  )
  t.deepEqual(outcome(range.decode({})), { decoded: {} })
  t.deepEqual(outcome(range.decode({ to: '2026-01-01' })), { issues: ['from required'] })
  t.deepEqual(outcome(range.decode({ from: '2026-01-01' })), { issues: ['to required'] })
  t.deepEqual(outcome(range.decode({ from: '2026-01-02', to: '2026-01-01' })), { issues: ['to not-before from'] })
  t.deepEqual(outcome(range.decode({ from: '2026-01-01', to: '2026-01-01' })), {
    decoded: { from: '2026-01-01', to: '2026-01-01' },
  })
})

test('requiredWhen reports each missing field', (t) => {
  const charge = input(
    null,
    {
      method: oneOf(['PIX', 'CARD', 'BOLETO']),
      card: optional(object(input(null, { cvv: word }))),
      address: clearable(word),
    },
    requiredWhen(['card', 'address'], 'method', 'CARD', 'BOLETO'),
  )
  t.deepEqual(outcome(charge.decode({ method: 'PIX' })), { decoded: { method: 'PIX' } })
  t.deepEqual(outcome(charge.decode({ method: 'CARD', address: null })), {
    issues: ['card required', 'address required'],
  })
  t.deepEqual(outcome(charge.decode({ method: 'BOLETO', card: {} })), {
    issues: ['card.cvv required', 'address required'],
  })
  t.deepEqual(outcome(charge.decode({ method: 'card' })), { issues: ['method one-of PIX, CARD, BOLETO'] })
})

test('two rules with the same issue report it once', (t) => {
  const fields = { a: optional(word), b: optional(word), c: optional(word) }
  const twice = input(null, fields, exactlyOne('a', 'b'), exactlyOne('a', 'c'))
  t.deepEqual(outcome(twice.decode({})), { issues: ['a required'] })
})

test('the rules of a nested input report under its path', (t) => {
  const nested = input(null, {
    rows: list(object(input(null, { from: day(), to: day() }, notBefore('to', 'from'))), { max: 2 }),
  })
  const row = { from: '2026-01-02', to: '2026-01-01' }
  t.deepEqual(outcome(nested.decode({ rows: [{ ...row, to: row.from }, row] })), {
    issues: ['rows.1.to not-before from'],
  })
})

test('rules accept only existing fields and possible values', (t) => {
  const fields = { a: word, b: oneOf(['x', 'y']) }
  const right = input(null, fields, sameAs('a', 'b'), requiredWhen(['a'], 'b', 'y'))
  // @ts-expect-error: there is no such field
  const unknownField = input(null, fields, sameAs('a', 'c'))
  // @ts-expect-error: it never has this value
  const unknownValue = input(null, fields, requiredWhen(['a'], 'b', 'z'))
  // @ts-expect-error: a rule gets only what it names
  const unnamed = rule<{ a: string; b: string }, 'a'>(['a'], ({ b }) => [issue(b, 'x')])
  // @ts-expect-error: also where the body is an argument itself
  const inner = [input(null, fields, sameAs('a', 'c'))].at(0)
  t.is(new Set([right, unknownField, unknownValue, unnamed, inner]).size, 5)
})

test('a rule receives the day that was passed to the decoder', (t) => {
  const isPast = (due: string, today: string | null) => today !== null && due < today
  const shaped = input(
    null,
    { due: day(), value: integer({ min: 1 }) },
    rule(['due'], ({ due }, today) => (isPast(due, today) ? [issue('due', 'day.past')] : [])),
  )
  t.deepEqual(shaped.decode({ due: '2026-11-22', value: 0 }, '2026-11-23'), {
    _tag: 'Left',
    left: [
      { path: 'value', code: 'integer.min', params: { min: 1 } },
      { path: 'due', code: 'day.past' },
    ],
  })
  t.like(shaped.decode({ due: '2026-11-23', value: 1 }, '2026-11-23'), { _tag: 'Right' })
  t.like(shaped.decode({ due: '2026-11-22', value: 1 }), { _tag: 'Right' })
})
