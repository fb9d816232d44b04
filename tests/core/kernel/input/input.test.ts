import test from 'ava'
import fc from 'fast-check'
import { isLeft, isRight } from '../../../../core/failure.ts'
import { clearable, list, nullIfAbsent, optional, withDefault } from '../../../../core/kernel/input/field.ts'
import { allOptional, input, object } from '../../../../core/kernel/input/input.ts'
import { day, email, id, integer, money, oneOf, text, url } from '../../../../core/kernel/input/scalars.ts'
import { line, outcome } from './reads.ts'

const address = input(null, { street: text({ max: 20 }), city: text({ max: 9 }), zip: nullIfAbsent(text({ max: 9 })) })
const label = input(null, { label: text({ max: 5 }), value: nullIfAbsent(text({ max: 5 })) })

const charge = input(null, {
  name: text({ max: 10 }),
  email: email(),
  phone: clearable(text({ max: 20 })),
  note: nullIfAbsent(text({ max: 20 })),
  due_date: optional(day()),
  value: money({ minCents: 1, aliases: ['amount'] }),
  payment_method: oneOf(['PIX', 'CREDIT_CARD']),
  installments: withDefault(integer({ min: 1, max: 120 }), 1),
  address: object(address),
  metadata: optional(list(object(label), { max: 3 })),
})

const sent = {
  name: ' Ana ',
  email: 'ANA@example.com',
  value: 19.99,
  payment_method: 'PIX',
  address: { street: 'Rua 1', city: 'Natal' },
  metadata: [{ label: 'a', value: 'b' }, { label: 'c' }],
}

const decoded = {
  name: 'Ana',
  email: 'ana@example.com',
  note: null,
  value: 1_999,
  payment_method: 'PIX',
  installments: 1,
  address: { street: 'Rua 1', city: 'Natal', zip: null },
  metadata: [
    { label: 'a', value: 'b' },
    { label: 'c', value: null },
  ],
}

test('decodes its fields and omits missing ones', (t) => {
  t.deepEqual(outcome(charge.decode(sent)), { decoded })
  t.deepEqual(outcome(charge.decode({ ...sent, phone: '', due_date: '2026-01-31', note: ' n' })), {
    decoded: { ...decoded, phone: null, due_date: '2026-01-31', note: 'n' },
  })
})

test('reports every wrong field under its dotted path', (t) => {
  const wrong = {
    name: ' ',
    email: 'ana',
    phone: 5,
    due_date: '2026-02-30',
    value: 0.001,
    payment_method: 'pix',
    installments: 121,
    address: { street: ['Rua 1'], city: 'São Paulo do Norte' },
    metadata: [{ label: 'abcdef' }, 'x', { value: { $gt: '' } }],
  }
  t.deepEqual(outcome(charge.decode(wrong)), {
    issues: [
      'name required',
      'email email',
      'phone text',
      'due_date day',
      'value money.min 0.01',
      'payment_method one-of PIX, CREDIT_CARD',
      'installments integer.max 120',
      'address.street text',
      'address.city text.max 9',
      'metadata.0.label text.max 5',
      'metadata.1 object',
      'metadata.2.label required',
      'metadata.2.value text',
    ],
  })
})

test('reports a missing object, not its fields', (t) => {
  for (const address of [undefined, null]) {
    t.deepEqual(outcome(charge.decode({ ...sent, address })), { issues: ['address required'] })
  }
  t.deepEqual(outcome(charge.decode({ ...sent, address: {} })), {
    issues: ['address.street required', 'address.city required'],
  })
  for (const address of ['', 'x', 1, [], [{}], true]) {
    t.deepEqual(outcome(charge.decode({ ...sent, address })), { issues: ['address object'] })
  }
})

test('reports one issue for a value that is not an object', (t) => {
  for (const value of [undefined, null, 0, 'x', true, [], [sent]]) {
    t.deepEqual(charge.decode(value), { _tag: 'Left', left: [{ path: '', code: 'object' }] })
  }
})

test('reports a field sent under an alias by its own name', (t) => {
  const { value: _, ...rest } = sent
  t.deepEqual(outcome(charge.decode({ ...rest, amount: 1 })), { decoded: { ...decoded, value: 100 } })
  t.deepEqual(outcome(charge.decode({ ...rest, amount: '1' })), { issues: ['value money'] })
  t.deepEqual(outcome(charge.decode({ ...rest, value: 2, amount: 'x' })), { decoded: { ...decoded, value: 200 } })
  t.deepEqual(outcome(charge.decode({ ...rest, value: null, amount: 1 })), { issues: ['value required'] })
  t.deepEqual(outcome(charge.decode(rest)), { issues: ['value required'] })
})

test('ignores unknown and inherited keys', (t) => {
  const json = `{"id":9,"status":"paid","_id":1,"$where":"1","__proto__":{"name":"Eva","admin":true},
    "constructor":{"prototype":{"admin":true}},"toString":1,"name":"Ana","n":{"__proto__":{"a":1},"b":2}}`
  const plain = input(null, {
    name: text({ max: 9 }),
    n: object(input(null, { a: optional(id()) })),
    toString: optional(id()),
  })
  const got = plain.decode(JSON.parse(json))
  t.deepEqual(outcome(got), { decoded: { name: 'Ana', n: {}, toString: 1 } })
  if (isRight(got)) t.is(Object.getPrototypeOf(got.right), Object.prototype)
  t.is(Reflect.get({}, 'admin'), undefined)

  const inherited = Object.create({ name: 'Eva' })
  t.deepEqual(outcome(plain.decode({ __proto__: { name: 'Eva' }, n: {} })), { issues: ['name required'] })
  t.deepEqual(outcome(plain.decode(Object.assign(inherited, { n: {} }))), { issues: ['name required'] })
  const named = input(null, { constructor: optional(text({ max: 9 })) })
  t.deepEqual(outcome(named.decode({})), { decoded: {} })
})

test('allOptional decodes only the fields that were sent, without defaults', (t) => {
  const put = input(null, allOptional(charge.fields))
  t.deepEqual(outcome(put.decode({})), { decoded: {} })
  t.deepEqual(outcome(put.decode({ note: null, amount: 1 })), { decoded: { note: null, value: 100 } })
  t.deepEqual(outcome(put.decode({ name: '', email: null, address: {} })), {
    issues: ['name required', 'email required', 'address.street required', 'address.city required'],
  })
})

test('the decoded value has the types of its fields and can be spread over a record', (t) => {
  const fields = { name: text({ max: 9 }), site: clearable(url()), kind: oneOf(['a', 'b']), n: withDefault(id(), 1) }
  const record: { name: string; site: string | null; kind: 'a' | 'b'; n: number } = {
    name: 'Ana',
    site: 'https://a.co',
    kind: 'a',
    n: 3,
  }
  const whole = input(null, fields).decode({ name: 'Eva', kind: 'b' })
  const part = input(null, allOptional(fields)).decode({ site: null })
  t.true(isRight(whole) && isRight(part))
  if (isLeft(whole) || isLeft(part)) return
  const typed: { name: string; site?: string | null; kind: 'a' | 'b'; n: number } = whole.right
  const changed: typeof record = { ...record, ...part.right }
  t.deepEqual(typed, { name: 'Eva', kind: 'b', n: 1 })
  t.deepEqual(changed, { ...record, site: null })
})

const anyValue = fc.oneof(fc.jsonValue(), fc.constant(undefined))
const anySent = fc.record(
  Object.fromEntries(
    [...Object.keys(charge.fields), 'amount', '__proto__', 'more'].map((key) => {
      const good: unknown = Object.hasOwn(sent, key) ? Reflect.get(sent, key) : undefined
      return [key, fc.oneof({ weight: 3, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: anyValue })]
    }),
  ),
  { requiredKeys: [], noNullPrototype: true },
)

test('decodes any value to known keys, or reports issues under known keys', (t) => {
  const again = object(charge)
  const seen = { decoded: 0, refused: 0 }
  const property = fc.property(anySent, (value) => {
    const got = charge.decode(value)
    if (isLeft(got)) {
      seen.refused += 1
      for (const issue of got.left) t.true(Object.hasOwn(charge.fields, issue.path.split('.')[0] ?? ''), line(issue))
      return
    }
    seen.decoded += 1
    t.true(Object.keys(got.right).every((key) => Object.hasOwn(charge.fields, key)))
    t.true(again.is(got.right))
    t.deepEqual(charge.decode(again.encode(got.right)), got)
  })
  fc.assert(property, { numRuns: 5_000 })
  t.true(seen.decoded > 50 && seen.refused > 50, JSON.stringify(seen))
})
