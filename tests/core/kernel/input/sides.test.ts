import test from 'ava'
import {
  CAMEL_CASE,
  nullIfAbsent,
  optional,
  PROGRAM,
  SNAKE_CASE,
  withDefault,
} from '../../../../core/kernel/input/field.ts'
import { image } from '../../../../core/kernel/input/image.ts'
import { either, group, input, object } from '../../../../core/kernel/input/input.ts'
import { jsonObject } from '../../../../core/kernel/input/json.ts'
import { inQuery } from '../../../../core/kernel/input/query.ts'
import { notBefore, sameAs } from '../../../../core/kernel/input/rules.ts'
import { day, flag, hundredths, id, money, oneOf, timestamp } from '../../../../core/kernel/input/scalars.ts'
import { pick } from '../../../../core/kernel/input/table.ts'
import { email, line, taxId, text } from '../../../../core/kernel/input/texts.ts'
import { output, view, viewEach } from '../../../../core/kernel/input/view.ts'
import { outcome } from './reads.ts'

const TODAY = '2026-11-22'

const fields = {
  valueCents: money({ wire: 'value', aliases: ['amount'], minCents: 1, about: 'Valor' }),
  dueDate: day({ about: 'Vencimento' }),
  firstDay: optional(day()),
  discountHundredths: nullIfAbsent(hundredths({ min: 0, max: 100, wire: 'discount' })),
  paymentMethod: withDefault(oneOf(['PIX', 'BOLETO']), 'PIX'),
  metadata: nullIfAbsent(jsonObject()),
}

const payer = either(
  { clientId: id() },
  { name: line({ max: 20 }), email: email(), document: taxId(), phone: nullIfAbsent(text({ max: 5 })) },
)

const newCharge = input('NewCharge', { ...fields, payer }, notBefore('dueDate', 'firstDay'))

const GIVEN = { valueCents: 1_250, dueDate: '2030-01-01', payer: { clientId: 3 } }
const CHECKED = { ...GIVEN, discountHundredths: null, paymentMethod: 'PIX' as const, metadata: null }

test('the wire and a program say the same in their own names and values', (t) => {
  const onWire = newCharge.on(SNAKE_CASE)
  t.deepEqual(outcome(onWire.decode({ value: 12.5, due_date: '2030-01-01', client_id: 3 })), { kept: CHECKED })
  t.deepEqual(outcome(onWire.decode({ amount: 12.5, due_date: '2030-01-01', client_id: 3 })), { kept: CHECKED })
  t.deepEqual(outcome(newCharge.check(GIVEN, TODAY)), { kept: CHECKED })
  const camel = { value: 12.5, dueDate: '2030-01-01', clientId: 3, metadata: { b: 1, a: 2 } }
  t.deepEqual(outcome(newCharge.on(CAMEL_CASE).decode(camel)), { kept: { ...CHECKED, metadata: '{"a":2,"b":1}' } })
})

test('what was checked stays as it is when it is checked again', (t) => {
  const given = { ...GIVEN, metadata: { b: 1, a: 2 }, discountHundredths: 250 }
  const kept = { ...CHECKED, metadata: '{"a":2,"b":1}', discountHundredths: 250 }
  t.deepEqual(outcome(newCharge.check(given, TODAY)), { kept })
  t.deepEqual(outcome(newCharge.check(kept, TODAY)), { kept })
})

test('each hears of wrong fields by the names it used', (t) => {
  const sent = { value: -1, due_date: '2029-01-01', first_day: '2030-01-01', name: 'Ana', email: 'x', metadata: [] }
  t.deepEqual(outcome(newCharge.on(SNAKE_CASE).decode(sent)), {
    issues: [
      'value money.min 0.01',
      'metadata object',
      'email email',
      'document required',
      'due_date not-before first_day',
    ],
  })
  const given = {
    valueCents: 10.5,
    dueDate: '2029-01-01',
    firstDay: '2030-01-01',
    payer: { name: 'Ana', email: 'x', document: '1' },
    metadata: '[]',
  }
  t.deepEqual(outcome(newCharge.check(given, TODAY)), {
    issues: [
      'valueCents integer',
      'metadata object',
      'payer.email email',
      'payer.document document',
      'dueDate not-before firstDay',
    ],
  })
})

test('nothing that a program gives is thrown on', (t) => {
  const wrong = [
    null,
    undefined,
    3,
    'x',
    [],
    {},
    { payer: null },
    { payer: 3 },
    { payer: [] },
    { valueCents: Number.NaN },
  ]
  for (const given of wrong) t.true('issues' in outcome(newCharge.check(given as never, TODAY)), String(given))
})

test('of one of two tables the first counts where its first field is there, and what is beside it is looked at', (t) => {
  const { decode } = newCharge.on(SNAKE_CASE)
  const charge = { value: 1, due_date: '2030-01-01' }
  t.like(outcome(decode({ ...charge, client_id: 3, name: 'Ana', email: 'x' })), { issues: ['email email'] })
  t.like(outcome(decode({ ...charge, client_id: 'x' })), { issues: ['client_id integer'] })
  t.like(outcome(decode({ ...charge, client_id: null })), {
    issues: ['name required', 'email required', 'document required'],
  })
  const ana = { name: 'Ana', email: 'ana@example.com', document: '52998224725' }
  t.like(outcome(decode({ ...charge, ...ana })), { kept: { payer: { ...ana, phone: null } } })
})

test('the paths of a decision are told as each side names them', (t) => {
  const { pathOf } = newCharge.on(SNAKE_CASE)
  t.deepEqual(
    ['valueCents', 'dueDate', 'payer.clientId', 'payer.document', 'discountHundredths', 'metadata.0.someKey'].map(
      pathOf,
    ),
    ['value', 'due_date', 'client_id', 'document', 'discount', 'metadata.0.some_key'],
  )
  t.is(newCharge.on(PROGRAM).pathOf('payer.clientId'), 'payer.clientId')
})

test('a schema names and describes fields as its side does, those of groups among them', (t) => {
  const { schema, fields: named } = newCharge.on(SNAKE_CASE)
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> }
  t.deepEqual(Object.keys(properties), [
    'value',
    'amount',
    'due_date',
    'first_day',
    'discount',
    'payment_method',
    'metadata',
    'client_id',
    'name',
    'email',
    'document',
    'phone',
  ])
  t.deepEqual(
    Object.keys(named),
    Object.keys(properties).filter((name) => name !== 'amount'),
  )
  t.is(named.client_id?.isOptional, true)
  t.deepEqual(Object.keys(filter.on(SNAKE_CASE).fields).slice(0, 3), [
    'created_at_start',
    'created_at_end',
    'status_id',
  ])
  t.is(properties.value?.description, 'Valor. Reais, com até 2 casas decimais.')
  t.is(properties.due_date?.description, 'Vencimento')
})

const filter = input('ChargeFilter', {
  created: inQuery.range('created_at', 'Criação'),
  statuses: inQuery.positions(['pending', 'paid'], { wire: 'status_id' }),
  orderBy: inQuery.field(['createdAt', 'dueDate']),
  clientId: inQuery.integer({ min: 1 }),
  ids: inQuery.integers({ aliases: ['ids[]'] }),
  unread: inQuery.flag(),
  page: inQuery.page(),
})

test('a filter is texts on the wire, and values in a program', (t) => {
  const sent = {
    created_at_start: '2026-01-01',
    created_at_end: '',
    status_id: '2,1,2',
    order_by: 'due_date',
    client_id: '7',
    'ids[]': ['1', '2'],
    unread: '1',
  }
  const kept = {
    created: { from: '2026-01-01' },
    statuses: ['paid', 'pending'],
    orderBy: 'dueDate',
    clientId: 7,
    ids: [1, 2],
    unread: true,
    page: 1,
  } as const
  t.deepEqual(outcome(filter.on(SNAKE_CASE).decode(sent)), { kept })
  t.deepEqual(outcome(filter.check(kept, TODAY)), { kept })
  t.deepEqual(outcome(filter.check({}, TODAY)), { kept: { created: {}, page: 1 } })
  t.deepEqual(outcome(filter.check({ orderBy: 'id', statuses: ['x'], clientId: '7' } as never, TODAY)), {
    issues: ['statuses.0 one-of pending, paid', 'orderBy one-of createdAt, dueDate', 'clientId integer'],
  })
})

test('a filter of any field is its value as a text says it', (t) => {
  const any = input(null, {
    count: inQuery.any(nullIfAbsent(id()) as never),
    open: inQuery.any(flag() as never),
    word: inQuery.any(oneOf(['a']) as never),
  })
  t.deepEqual(outcome(any.decode({ count: '7', open: '1', word: 'a' })), { kept: { count: 7, open: true, word: 'a' } })
  t.deepEqual(outcome(any.decode({ count: '', open: ' ' })), { kept: {} })
  t.deepEqual(outcome(any.decode({ count: '1.5', open: 'sim', word: 'b' })), {
    issues: ['count integer', 'open flag', 'word one-of a'],
  })
  t.deepEqual(outcome(any.check({ count: 7, open: true } as never, TODAY)), { kept: { count: 7, open: true } })
})

test('wrong filters are named as they were sent', (t) => {
  const { decode } = filter.on(SNAKE_CASE)
  t.deepEqual(outcome(decode({ status_id: '3', order_by: 'dueDate', page: '0' })), {
    issues: ['status_id integer.max 2', 'order_by one-of created_at, due_date', 'page integer.min 1'],
  })
  const turned = { created_at_start: '2026-02-01', created_at_end: '2026-01-01' }
  t.deepEqual(outcome(decode(turned)), { issues: ['created_at_end not-before created_at_start'] })
  const given = { created: { from: '2026-02-01', to: '2026-01-01' } }
  t.deepEqual(outcome(filter.check(given, TODAY)), { issues: ['created.to not-before from'] })
})

test('an object within an input keeps its own names, and its rules', (t) => {
  const secrets = input(
    null,
    { newPin: text({ max: 6 }), newPinAgain: text({ max: 6 }) },
    sameAs('newPinAgain', 'newPin'),
  )
  const change = input(null, { pinChange: object(secrets), place: group({ zipCode: text({ max: 9 }) }) })
  const sent = { pin_change: { new_pin: '1', new_pin_again: '2' }, zip_code: 1 }
  t.deepEqual(outcome(change.on(SNAKE_CASE).decode(sent)), {
    issues: ['pin_change.new_pin_again same-as new_pin', 'zip_code text'],
  })
  t.is(change.on(SNAKE_CASE).pathOf('pinChange.newPin'), 'pin_change.new_pin')
  t.deepEqual(outcome(change.check({ pinChange: { newPin: '1', newPinAgain: '1' }, place: { zipCode: '2' } }, TODAY)), {
    kept: { pinChange: { newPin: '1', newPinAgain: '1' }, place: { zipCode: '2' } },
  })
})

test('a view shows the fields of its table and nothing else, by the names of a side', (t) => {
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
  // What may be sent under another name is shown by its own.
  t.deepEqual(Object.keys(schema.properties ?? {}), [...names, 'balance', 'data'])
  t.is(charges.on(PROGRAM).encode(charge).balanceCents, -150)
  t.is(encode({ ...charge, metadata: null }).metadata, null)
})

test('a whole list shows what a view shows of each', (t) => {
  const shown = view(null, pick(fields, 'valueCents', 'dueDate'), (charge: typeof GIVEN) => charge)
  const { encode, schema } = viewEach(shown).on(SNAKE_CASE)
  t.deepEqual(encode([GIVEN, GIVEN]), [
    { value: 12.5, due_date: '2030-01-01' },
    { value: 12.5, due_date: '2030-01-01' },
  ])
  t.deepEqual(schema, { type: 'array', items: shown.on(SNAKE_CASE).schema })
})

test('letters are kept in one case, and images as they are, whoever sends them', (t) => {
  const logo = { contentType: 'image/png', bytes: new Uint8Array(1) } as const
  const fields = { state: text({ max: 2, casing: 'upper' }), logo: image({ types: ['image/png'], wire: 'path_logo' }) }
  const address = input(null, fields)
  const kept = { state: 'RS', logo }
  t.deepEqual(outcome(address.on(SNAKE_CASE).decode({ state: 'rs', path_logo: logo })), { kept })
  t.deepEqual(outcome(address.check({ state: 'rs', logo }, TODAY)), { kept })
  t.deepEqual(outcome(address.check(kept, TODAY)), { kept })
})
