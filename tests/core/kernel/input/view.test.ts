import test from 'ava'
import { nullIfAbsent, PROGRAM, SNAKE_CASE } from '../../../../core/kernel/input/field.ts'
import { group, pick } from '../../../../core/kernel/input/input.ts'
import { jsonObject } from '../../../../core/kernel/input/json.ts'
import { day, hundredths, money, text, timestamp } from '../../../../core/kernel/input/scalars.ts'
import { output, view, viewEach } from '../../../../core/kernel/input/view.ts'

const fields = {
  valueCents: money({ wire: 'value', aliases: ['amount'] }),
  dueDate: day(),
  discountHundredths: nullIfAbsent(hundredths({ min: 0, max: 100, wire: 'discount' })),
  metadata: nullIfAbsent(jsonObject()),
}
const CHARGE = { valueCents: 1_250, dueDate: '2030-01-01' }

test('a view encodes the fields of its table only, by the names of a side', (t) => {
  interface Charge {
    readonly valueCents: number
    readonly dueDate: string
    readonly discountHundredths: number | null
    readonly metadata: string | null
    readonly secret: string
  }
  const table = {
    ...pick(fields, 'valueCents', 'dueDate', 'discountHundredths', 'metadata'),
    dueTodayCents: money(),
    createdAt: timestamp(),
    place: group({ zipCode: text({ max: 9 }) }),
    balanceCents: output.money({ wire: 'balance' }),
    data: output.json(),
  }
  const charges = view('Charge', table, (charge: Charge) => ({
    ...charge,
    balanceCents: -150,
    data: { b: [null], a: 1 },
    dueTodayCents: charge.valueCents + 1,
    createdAt: '2026-11-21T13:05:09.123Z',
    place: { zipCode: '1' },
  }))
  const charge = { valueCents: 1_250, dueDate: '2030-01-01', discountHundredths: 250, metadata: '{"a":1}', secret: 's' }
  const { encode, schema } = charges.on(SNAKE_CASE)
  t.deepEqual(encode(charge), {
    value: 12.5,
    due_date: '2030-01-01',
    discount: 2.5,
    metadata: { a: 1 },
    due_today_cents: 12.51,
    created_at: '2026-11-21T10:05:09-03:00',
    zip_code: '1',
    balance: -1.5,
    data: { b: [null], a: 1 },
  })
  const names = ['value', 'due_date', 'discount', 'metadata', 'due_today_cents', 'created_at', 'zip_code']
  t.deepEqual(schema.required, [...names, 'balance', 'data'])
  // A field with aliases is encoded under its own name.
  t.deepEqual(Object.keys(schema.properties ?? {}), [...names, 'balance', 'data'])
  t.is(charges.on(PROGRAM).encode(charge).balanceCents, -150)
  t.is(encode({ ...charge, metadata: null }).metadata, null)
})

test('viewEach encodes each item of a list by the view', (t) => {
  const charges = view(null, pick(fields, 'valueCents', 'dueDate'), (charge: typeof CHARGE) => charge)
  const { encode, schema } = viewEach(charges).on(SNAKE_CASE)
  t.deepEqual(encode([CHARGE, CHARGE]), [
    { value: 12.5, due_date: '2030-01-01' },
    { value: 12.5, due_date: '2030-01-01' },
  ])
  t.deepEqual(schema, { type: 'array', items: charges.on(SNAKE_CASE).schema })
})
